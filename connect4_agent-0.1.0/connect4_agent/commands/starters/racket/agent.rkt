;; Talks to the manager: a request in each line, a move in each answer. The thinking is in strategy.rkt.
#lang racket/base

(require json racket/list racket/string "strategy.rkt")

;; Who is to move: as the request says, or else the command line, or else the discs on the board.
(define (player-of request)
  ;; --player 1 --width 7 --height 6, or 1 1 7 7 6 6
  (define words (filter (lambda (word) (member word '("1" "2")))
                        (vector->list (current-command-line-arguments))))
  (define (count-of player) (count (lambda (cell) (eqv? cell player)) (flatten (hash-ref request 'grid))))
  (cond [(hash-ref request 'player #f)]
        [(pair? words) (string->number (first words))]
        [(< (count-of 2) (count-of 1)) 2]
        [else 1]))

(define (answer text)
  (define request (string->jsexpr text))
  (hasheq 'move (choose (hash-ref request 'grid) (player-of request))))

;; A bad request, or a mistake in the strategy, should cost one answer, not the game.
(define (answer-or-error text)
  (with-handlers ([exn:fail? (lambda (problem)
                               (eprintf "~a\n" (exn-message problem))
                               (hasheq 'error (exn-message problem)))])
    (answer text)))

;; Only answers go to standard output, and at once; print anything else with eprintf.
(for ([line (in-lines (current-input-port) 'any)])
  (define text (string-trim (string-trim line "\uFEFF"))) ; some managers begin with a byte order mark
  (unless (string=? text "")
    (write-json (answer-or-error text))
    (newline)
    (flush-output)))
