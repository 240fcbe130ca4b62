// The page: its four views, and the switches that belong to all of them.
import { analyseView } from './analyse.js';
import { learnView } from './learn.js';
import { playView } from './play.js';
import { puzzlesView } from './puzzles.js';
import { startViews } from './views.js';

startViews([playView, learnView, puzzlesView, analyseView]);
