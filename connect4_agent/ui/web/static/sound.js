// Optional sounds: a disc that lands, and a finished game.
import { keep, recall } from './page.js';

let isOn = recall('sound', false) === true;
let context = null;

// One soft tone that fades; times in seconds.
function tone(frequency, start, length, volume) {
  const [wave, level] = [context.createOscillator(), context.createGain()];
  const from = context.currentTime + start;
  wave.type = 'triangle';
  wave.frequency.setValueAtTime(frequency, from);
  wave.frequency.exponentialRampToValueAtTime(frequency * 0.6, from + length);
  level.gain.setValueAtTime(volume, from);
  level.gain.exponentialRampToValueAtTime(0.0001, from + length);
  wave.connect(level).connect(context.destination);
  wave.start(from);
  wave.stop(from + length);
}

// Browsers allow sound only after somebody has clicked or pressed a key on the page.
function isReady() {
  if (!isOn || typeof AudioContext === 'undefined') return false;
  context ??= new AudioContext();
  context.resume();
  return true;
}

export const sound = {
  get isOn() { return isOn; },
  turn(on) {
    isOn = on;
    keep('sound', on);
    if (on) this.land(0);
  },
  land(afterMs) {
    if (isReady()) tone(190, afterMs / 1000, 0.12, 0.25);
  },
  finish() {
    if (isReady()) [392, 494, 587].forEach((frequency, index) => tone(frequency, index * 0.12, 0.35, 0.12));
  },
};
