// The side panel as a sheet at the bottom of upright phones: its handle, pressed or dragged, raises and lowers it.
import { byId } from './page.js';

const DRAG_PX = 24; // a shorter drag is a press

export function createSheet() {
  const [sheet, handle] = [byId('sheet'), byId('sheet-handle')];
  let from = null; // where a drag began
  let isDragged = false;

  function raise(isRaised) {
    if (isRaised === (handle.getAttribute('aria-expanded') === 'true')) return;
    sheet.classList.toggle('is-raised', isRaised);
    handle.setAttribute('aria-expanded', String(isRaised));
    if (!isRaised) sheet.scrollTop = 0;
  }

  handle.addEventListener('click', () => {
    if (!isDragged) raise(handle.getAttribute('aria-expanded') !== 'true');
    isDragged = false;
  });
  handle.addEventListener('pointerdown', (event) => {
    from = event.clientY;
    isDragged = false;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointermove', (event) => {
    if (from === null || Math.abs(event.clientY - from) < DRAG_PX) return;
    raise(event.clientY < from);
    isDragged = true;
    from = null;
  });
  for (const name of ['pointerup', 'pointercancel']) handle.addEventListener(name, () => { from = null; });
  sheet.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    raise(false);
    handle.focus({ preventScroll: true });
  });
  return { lower: () => raise(false) };
}
