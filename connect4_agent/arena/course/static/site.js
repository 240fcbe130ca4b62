// The index of a course's site follows its run.
'use strict';

Connect4Live(['overview-head', 'overview'], Connect4Matrix);
