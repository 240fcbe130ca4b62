// Tabs: one panel of several is shown, and arrow keys lead from tab to tab.
import { byId } from './page.js';

const STEPS = {
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

// `host` has the tabs; each names its panel in aria-controls. `chosen()` is called when somebody has chosen one.
export function createTabs(host, chosen = () => {}) {
  const tabs = [...host.querySelectorAll('[role="tab"]')];

  function show(wanted) {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === wanted));
      tab.tabIndex = tab === wanted ? 0 : -1;
      byId(tab.getAttribute('aria-controls')).hidden = tab !== wanted;
    }
  }

  function choose(tab) {
    show(tab);
    chosen();
  }

  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  host.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = tabs[step(tabs.indexOf(document.activeElement), tabs.length)];
    next.focus();
    choose(next);
  });
  show(tabs[0]);
  return {
    get shown() { return tabs.find((tab) => tab.getAttribute('aria-selected') === 'true').id; },
    show: (id) => show(byId(id)),
  };
}
