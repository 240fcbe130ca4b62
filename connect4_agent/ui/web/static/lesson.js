// What a reviewed position teaches: the grade of the move just made, and what was better.
import { GRADE_MARKS, columnWords } from './words.js';

// The mistake made by the position's last move; undefined if that move was not a mistake.
export function mistakeAt(mistakes, ply) {
  return mistakes.find((each) => each.ply + 1 === ply);
}

// The columns that were better than the move of a mistake; empty until the analysis arrives.
function betterThan(mistake, game, analysisOf) {
  const answer = analysisOf(game, mistake.ply);
  return answer?.exact ? answer.best : [];
}

// {marks, text} for the board and the line above it; null if the last move was not a mistake.
// `analysisOf(game, ply)` gives the analysis of a position, or null until it arrives.
export function lessonAt(mistakes, game, ply, analysisOf) {
  const mistake = mistakeAt(mistakes, ply);
  if (!mistake) return null;
  const better = betterThan(mistake, game, analysisOf);
  const words = better.length ? ` Better: ${columnWords(better)}.` : '';
  return {
    marks: { badge: { sign: GRADE_MARKS[mistake.grade], kind: mistake.grade }, better },
    text: `${mistake.words} (${mistake.detail}).${words}`,
  };
}

// The notes of a move list: a mark and words for every mistake.
export function notesOf(mistakes, line) {
  const of = [];
  for (const mistake of mistakes) {
    of[mistake.ply] = { mark: GRADE_MARKS[mistake.grade], words: mistake.what, kind: mistake.grade };
  }
  return { line, of };
}
