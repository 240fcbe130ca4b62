"""The forms of the kernel: which one runs, and when."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from connect4_agent.engine.kernel import forms, tuning
from connect4_agent.rules.geometry import LARGEST_SIDE
from tests.kernel_forms import each_form
from tests.processes import output_of

KERNEL = Path(forms.__file__).parent
COMPILED = [(form, name) for form, modules in forms.MODULES.items() for name in modules]


def form_in_use(**environment: str) -> str:
    """The form that a fresh interpreter uses for a 7x6 board."""
    return output_of("from connect4_agent.engine.kernel import forms; print(forms.form_for(7, 6))", **environment)


@pytest.mark.needs("compiled")
def test_the_smallest_form_that_can_hold_the_board_is_in_use() -> None:
    assert form_in_use() == "narrow"
    assert forms.form_for(9, 7) == "wide"
    assert forms.form_for(12, 10) == "plain"


def test_the_switch_chooses_the_plain_form() -> None:
    assert form_in_use(CONNECT4_AGENT_INTERPRETED="1") == "plain"


@pytest.mark.parametrize("value", ["", "0"])
def test_an_empty_or_zero_switch_changes_nothing(value: str) -> None:
    assert form_in_use(CONNECT4_AGENT_INTERPRETED=value) == form_in_use()


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(("form", "name"), COMPILED)
def test_a_plain_module_has_its_own_name_and_a_compiled_one_that_of_its_form(form: str, name: str) -> None:
    plain = forms.module(name, forms.PLAIN)
    assert plain.__name__ == f"connect4_agent.engine.kernel.{name}"
    assert Path(str(plain.__file__)) == KERNEL / f"{name}.py"
    compiled = forms.module(name, form)
    assert compiled.__name__ == f"connect4_agent.engine.kernel.{form}.{name}"
    assert not str(compiled.__file__).endswith(".py")


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(("form", "name"), COMPILED)
def test_one_library_serves_every_python(form: str, name: str) -> None:
    if sys.platform != "win32":  # where the name of such a library says nothing
        assert str(forms.module(name, form).__file__).endswith(".abi3.so")


@pytest.mark.needs("compiled")
@pytest.mark.parametrize("missing", sorted({*forms.MODULES[forms.NARROW]} - forms.ON_DEMAND))
def test_a_form_without_one_of_its_modules_does_not_count(missing: str) -> None:
    program = (
        "import sys\n"
        f"sys.modules['connect4_agent.engine.kernel.narrow.{missing}'] = None\n"  # an import of it raises ImportError
        "from connect4_agent.engine.kernel import forms\n"
        "print(forms.form_for(7, 6), type(forms.new_solver(7, 6)).__module__)"
    )
    assert output_of(program) == "wide connect4_agent.engine.kernel.wide.solver"


def test_every_module_that_is_compiled_has_its_types_beside_it() -> None:
    assert list(forms.MODULES) == list(forms.WORD_BITS)
    named = {name for _, name in COMPILED}
    assert {path.stem for path in KERNEL.glob("*.pxd")} == named | {"fours"}
    assert all((KERNEL / f"{name}.py").is_file() for name in named)


def test_the_build_leaves_nothing_but_libraries_beside_the_sources() -> None:
    for form in forms.WORD_BITS:
        names = {path.name for path in (KERNEL / form).iterdir() if path.suffix not in (".so", ".pyd")}
        assert names - {"__pycache__"} == {"__init__.py", "word.pxd"}


@pytest.mark.parametrize(
    ("width", "height", "fits"),
    [
        (7, 6, ["narrow", "wide"]),
        (8, 7, ["narrow", "wide"]),
        (9, 7, ["wide"]),
        (11, 10, ["wide"]),
        (12, 10, []),
        (1, 63, ["narrow", "wide"]),
        (1, 64, ["wide"]),
        (100, 100, []),
    ],
)
def test_boards_fit_a_form_by_their_bits(width: int, height: int, fits: list[str]) -> None:
    assert [form for form in forms.WORD_BITS if forms.fits(form, width, height)] == fits
    assert forms.fits_compiled(width, height) == bool(fits)
    assert forms.fits(forms.PLAIN, width, height)


def test_the_source_names_nothing_of_cython() -> None:
    for path in KERNEL.glob("*.py"):
        assert "cython" not in path.read_text(encoding="utf-8").lower()


def test_the_kernel_imports_nothing_of_the_package_but_the_board_as_bits() -> None:
    for path in KERNEL.rglob("*.py"):
        for module in re.findall(r"^\s*(?:from|import) (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert module == "connect4_agent.rules" or not module.startswith("connect4_agent"), (path.name, module)
            assert not module.startswith("...") or path.parent == KERNEL, f"{path.name} imports {module}"
            assert not (path.parent == KERNEL and module.startswith("..")), f"{path.name} imports {module}"


def test_a_rank_has_bits_for_every_column_of_the_widest_board() -> None:
    assert tuning.INDEX_MASK >= LARGEST_SIDE - 1


@each_form
@pytest.mark.parametrize("ask", ["solver", "search"])
def test_a_table_that_memory_is_too_short_for_is_an_error_each_time_and_no_crash(form: str, ask: str) -> None:
    program = (
        "from connect4_agent.engine.kernel import forms\n"
        f"solver = forms.new_solver(7, 6, {form!r}, index_bits=45)\n"
        f"search = forms.new_search(7, 6, 'threat-parity', 1 << 46, {form!r})\n"
        "for _ in range(3):\n"
        "    try:\n"
        f"        {'solver.score(0, 0, print)' if ask == 'solver' else 'search.prepare(print)'}\n"
        "    except MemoryError:\n"
        "        print('short')\n"
        "del solver, search\n"
    )
    assert output_of(program).split() == ["short"] * 3
