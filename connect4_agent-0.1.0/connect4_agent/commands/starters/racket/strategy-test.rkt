;; Tests of the strategy. A board is drawn as rows: . is empty, 1 and 2 are discs.
#lang racket/base

(require rackunit racket/string "strategy.rkt")

;; The grid that a drawing shows: rows become columns.
(define (grid-of drawing)
  (define rows
    (for/list ([row (string-split drawing)])
      (for/list ([sign row]) (if (char=? sign #\.) 0 (string->number (string sign))))))
  (apply map list rows))

(define empty-board "....... ....... ....... ....... ....... .......")
(define two-wants-column-0 "....... ....... ....... 2...... 2..1... 2..11..")
(define both-want-the-sides "....... ....... 1.....2 1.....2 1.....2 2.....1")

(test-equal? "it begins in the centre" (choose (grid-of empty-board) 1) 3)
(test-equal? "it blocks the opponent" (choose (grid-of two-wants-column-0) 1) 0)
(test-equal? "it wins rather than blocks, as player 1" (choose (grid-of both-want-the-sides) 1) 0)
(test-equal? "it wins rather than blocks, as player 2" (choose (grid-of both-want-the-sides) 2) 6)
(test-equal? "it plays the last open column" (choose (grid-of "121212. 2121212 1212121") 1) 6)
