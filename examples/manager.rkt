;; Plays head-to-head Connect Four games between two agents that speak JSON lines.
#lang racket/base

(require json racket/cmdline racket/list racket/string)

(define winning-length 4)
(define grace-seconds 2)         ; between the close of an agent's stdin and its end by force
(define max-answer-bytes 65536)
(define max-quoted-chars 200)

;; A board is a vector of columns, each a list of cells from top to bottom.

(define (open-column? board column)
  (and (< -1 column (vector-length board))
       (zero? (first (vector-ref board column)))))

(define (full? board)
  (not (for/or ([column (vector-length board)]) (open-column? board column))))

(define (drop-disc board column player)
  (define-values (free discs) (splitf-at (vector-ref board column) zero?))
  (for/vector ([cells board] [index (in-naturals)])
    (if (= index column) (append (rest free) (cons player discs)) cells)))

;; Does the topmost disc of the column complete a line?
(define (wins? board column)
  (define row (length (takef (vector-ref board column) zero?)))
  (define (cell c r)
    (define cells (if (< -1 c (vector-length board)) (vector-ref board c) '()))
    (and (< -1 r (length cells)) (list-ref cells r)))
  (define player (cell column row))
  (define (run c r step-c step-r)
    (if (eqv? player (cell c r)) (add1 (run (+ c step-c) (+ r step-r) step-c step-r)) 0))
  (for/or ([step '((1 0) (0 1) (1 1) (1 -1))])
    (define-values (step-c step-r) (apply values step))
    ;; Both runs count the disc itself, hence > rather than >=.
    (> (+ (run column row step-c step-r) (run column row (- step-c) (- step-r)))
       winning-length)))

(define (print-board board)
  (define (print-row marks) (printf "  ~a\n" (string-join marks " ")))
  (for ([row (apply map list (vector->list board))])
    (print-row (for/list ([cell row]) (list-ref '("." "A" "B") cell))))
  (print-row (for/list ([column (vector-length board)]) (number->string (modulo column 10)))))

;; An agent is a process group with a pipe in each direction.

(struct agent (process from to))

;; The outer shell leads the group: when the command ends, whatever it left running in
;; the group ends with it, and until then nobody else can get the group's number.
(define (start-agent command)
  (define-values (process from to _stderr)
    (subprocess #f #f (current-error-port) 'new (find-executable-path "sh")
                "-c" "(eval \"$1\"); kill -s KILL 0" "agent" command))
  ;; Unbuffered, so that closing it never tries to write to an agent that has gone.
  (file-stream-buffer-mode to 'none)
  (agent process from to))

(define (stop-agents agents)
  (for ([each agents]) (close-output-port (agent-to each)))
  (define deadline (ms-after grace-seconds))
  (for ([each agents])
    (define process (agent-process each))
    (unless (sync/timeout (seconds-until deadline) process)
      (subprocess-kill process #t)
      (subprocess-wait process))
    (close-input-port (agent-from each))))

(define (ms-after seconds) (+ (current-inexact-monotonic-milliseconds) (* 1000 seconds)))
(define (seconds-until ms) (max 0 (/ (- ms (current-inexact-monotonic-milliseconds)) 1000)))

(define (send-request to board player)
  (define request (hasheq 'grid (vector->list board) 'height (length (vector-ref board 0))
                          'player player 'width (vector-length board)))
  ;; An agent that has gone breaks the pipe; reading its answer then finds the end of output.
  (with-handlers ([exn:fail? void])
    (write-bytes (bytes-append (jsexpr->bytes request) #"\n") to)))

;; Reads one line: how it ended ('line 'end 'silence 'endless) and its text.
(define (read-answer from limit-seconds)
  (define deadline (ms-after limit-seconds))
  (define line (open-output-bytes))
  (define ending
    (let next-byte ([count 0])
      (define byte (and (sync/timeout (seconds-until deadline) from) (read-byte from)))
      (cond [(not byte) 'silence]
            [(eof-object? byte) (if (zero? count) 'end 'line)]
            [(= byte (char->integer #\newline)) 'line]
            [(= count max-answer-bytes) 'endless]
            [else (write-byte byte line) (next-byte (add1 count))])))
  (values ending (bytes->string/utf-8 (get-output-bytes line) #\?)))

;; The agent's move: a column, or a text that says what is wrong with the answer.
(define (ask-move player-agent board player limit-seconds)
  (define from (agent-from player-agent))
  (define unasked? (byte-ready? from))
  (unless unasked? (send-request (agent-to player-agent) board player))
  (define-values (ending text) (read-answer from limit-seconds))
  (define verdict
    (case ending
      [(end) "end of output"]
      [(silence) (format "no whole line within ~a s" limit-seconds)]
      [(endless) (format "a line of more than ~a bytes" max-answer-bytes)]
      [else (if unasked? "a line that nobody asked for" (judge-line text board))]))
  (if (string? verdict) (format "~a: ~a" verdict (quoted text)) verdict))

(define (judge-line text board)
  (define answer (parse-json text))
  (define move (and (hash? answer) (hash-ref answer 'move #f)))
  (cond [(eof-object? answer) "not JSON"]
        [(not (hash? answer)) "not a JSON object"]
        [(and (not move) (hash-has-key? answer 'error)) "an error instead of a move"]
        [(not (exact-integer? move)) "no integer \"move\""]
        [(not (open-column? board move)) "not an open column"]
        [else move]))

;; The value of a text that is one JSON value and nothing else; eof for any other text.
(define (parse-json text)
  (define port (open-input-string text))
  (with-handlers ([exn:fail:read? (lambda (_) eof)])
    (define value (read-json port))
    (if (eof-object? (read-json port)) value eof)))

;; Foreign text on one short line, whatever is in it.
(define (quoted text)
  (define shown (regexp-replace* #px"[[:cntrl:]]" (string-trim text) "?"))
  (cond [(string=? shown "") "(nothing)"]
        [(<= (string-length shown) max-quoted-chars) shown]
        [else (string-append (substring shown 0 max-quoted-chars) "...")]))

;; Player 1 is A and player 2 is B; the winner of a draw is 0.
(struct outcome (beginner winner plies fault board))

(define (play-game commands beginner empty-board limit-seconds)
  (define agents '())
  ;; Breaks are off in the first and the last part, so Ctrl-C leaves no agent behind.
  (dynamic-wind
   (lambda () (set! agents (map start-agent commands)))
   (lambda ()
     (let next-ply ([board empty-board] [player beginner] [plies 0])
       (define move (ask-move (list-ref agents (sub1 player)) board player limit-seconds))
       (define after (and (integer? move) (drop-disc board move player)))
       (cond [(not after) (outcome beginner (opponent player) plies move board)]
             [(wins? after move) (outcome beginner player (add1 plies) #f after)]
             [(full? after) (outcome beginner 0 (add1 plies) #f after)]
             [else (next-ply after (opponent player) (add1 plies))])))
   (lambda () (stop-agents agents))))

(define (opponent player) (- 3 player))
(define (letter player) (if (= player 1) "A" "B"))

(define (print-outcome number result)
  (define winner (outcome-winner result))
  (define fault (outcome-fault result))
  (printf "game ~a: ~a began, ~a, ~a plies~a\n" number (letter (outcome-beginner result))
          (if (zero? winner) "draw" (string-append (letter winner) " won")) (outcome-plies result)
          (if fault (format ", fault by ~a: ~a" (letter (opponent winner)) fault) "")))

(define (print-totals outcomes)
  (define (wins player) (count (lambda (each) (= player (outcome-winner each))) outcomes))
  (printf "A wins ~a, B wins ~a, draws ~a, faults ~a\n"
          (wins 1) (wins 2) (wins 0) (count outcome-fault outcomes)))

(define (reject option text allowed)
  (raise-user-error 'manager.rkt "~a is ~s; allowed: ~a" option text allowed))

(define (whole-number option text low high)
  (define value (and (regexp-match? #px"^[0-9]+$" text) (string->number text)))
  (unless (and value (<= low value high))
    (reject option text (format "a whole number from ~a to ~a" low high)))
  value)

(define (positive-seconds option text)
  (define value (and (regexp-match? #px"^[0-9]+([.][0-9]+)?$" text) (string->number text)))
  (unless (and value (< 0 value +inf.0)) (reject option text "a number of seconds above 0"))
  value)

(define (command-text option text)
  (when (string=? (string-trim text) "") (reject option text "a shell command line"))
  text)

(module+ main
  (define-values (games width height limit-seconds verbose?) (values 1 7 6 30 #f))
  (define max-side 50) ; a request has to fit into a pipe at once: 16 KiB on some systems
  (define commands
    (with-handlers ([exn:fail:user? (lambda (e) (eprintf "~a\n" (exn-message e)) (exit 2))])
      (command-line
       #:program "manager.rkt"
       #:once-each
       ["--games" N "games to play (1)" (set! games (whole-number "--games" N 1 1000000))]
       ["--width" W "columns (7)" (set! width (whole-number "--width" W 1 max-side))]
       ["--height" H "cells in a column (6)" (set! height (whole-number "--height" H 1 max-side))]
       ["--seed" N "repeatable choice of who begins"
                 (random-seed (whole-number "--seed" N 0 (sub1 (expt 2 31))))]
       ["--time-limit" SECONDS "seconds for each move (30)"
                       (set! limit-seconds (positive-seconds "--time-limit" SECONDS))]
       ["--verbose" "print the final boards" (set! verbose? #t)]
       #:args (command-a command-b)
       (list (command-text "COMMAND A" command-a) (command-text "COMMAND B" command-b)))))
  (define (play number)
    (define empty-board (make-vector width (make-list height 0)))
    (define result (play-game commands (add1 (random 2)) empty-board limit-seconds))
    (print-outcome number result)
    (when verbose? (print-board (outcome-board result)))
    (flush-output) ; a long match shows each game as it ends
    result)
  (define (stopped status) (lambda (_) (exit status))) ; 128 and the signal's number
  (with-handlers ([exn:break:hang-up? (stopped 129)]
                  [exn:break:terminate? (stopped 143)]
                  [exn:break? (stopped 130)])
    (define outcomes (for/list ([number (in-range 1 (add1 games))]) (play number)))
    (print-totals outcomes)
    (exit (if (ormap outcome-fault outcomes) 1 0))))
