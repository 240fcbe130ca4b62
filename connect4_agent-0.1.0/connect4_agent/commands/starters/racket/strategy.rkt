;; Chooses a column. This is the file to improve.
;;
;; A grid is a list of columns from left to right, each a list of cells from top to bottom: 0 is empty, 1 and 2 are
;; discs.
#lang racket/base

(require racket/list)

(provide choose open-columns drop-disc four?)

(define directions '((1 0) (0 1) (1 1) (1 -1)))

;; Win if possible, otherwise stop the opponent from winning, otherwise play near the centre.
(define (choose grid player)
  (define columns (open-columns grid))
  (when (null? columns) (error "no column is open"))
  (or (for*/first ([who (list player (- 3 player))]
                   [column columns]
                   #:when (four? (drop-disc grid column who) who))
        column)
      (first columns)))

;; The columns that are not full, counted from 0, the nearest to the centre first.
(define (open-columns grid)
  (define centre (/ (sub1 (length grid)) 2))
  (define columns (for/list ([cells grid] [column (in-naturals)] #:when (zero? (first cells))) column))
  (sort columns < #:key (lambda (column) (abs (- column centre)))))

;; The grid with one more disc in this column, which must not be full.
(define (drop-disc grid column player)
  (define-values (free discs) (splitf-at (list-ref grid column) zero?))
  (list-set grid column (append (rest free) (cons player discs))))

;; Whether this player has four in a row.
(define (four? grid player)
  (define cells (for/vector ([column grid]) (list->vector column)))
  (define width (vector-length cells))
  (define height (vector-length (vector-ref cells 0)))
  (define (own? x y)
    (and (< -1 x width) (< -1 y height) (eqv? player (vector-ref (vector-ref cells x) y))))
  (for*/or ([x width] [y height] [direction directions])
    (for/and ([step 4])
      (own? (+ x (* step (first direction))) (+ y (* step (second direction)))))))
