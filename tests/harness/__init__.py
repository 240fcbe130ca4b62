"""Games inside the real harnesses; `make test-harness` installs them and runs these tests."""
