// What a reviewed position teaches: the grade of the move just made, and what was better.
import { columnWords } from './words.js';

// The mistake made by the position's last move; undefined if that move was not a mistake.
export function mistakeAt(mistakes, ply) {
  return mistakes.find((each) => each.ply + 1 === ply);
}

// {marks, text} for the board and the line above it; null if the last move was not a mistake.
export function lessonAt(mistakes, ply) {
  const mistake = mistakeAt(mistakes, ply);
  if (!mistake) return null;
  const { mark, grade, words, detail, better } = mistake;
  const advice = better.length ? ` Better: ${columnWords(better)}.` : '';
  return { marks: { badge: { sign: mark, kind: grade }, better }, text: `${words} (${detail}).${advice}` };
}

// The notes of a move list: a mark and words for every mistake.
export function notesOf(mistakes, line) {
  const of = [];
  for (const { ply, mark, what, grade } of mistakes) of[ply] = { mark, words: what, kind: grade };
  return { line, of };
}
