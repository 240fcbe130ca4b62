// What the scripts of the pages get from elsewhere: board.js and curve.js are served beside them, and a static site adds in_browser.js.
declare var Connect4Board: any;
declare var Connect4Curve: any;
declare module '*/board.js';
declare module '*/curve.js';
declare module '*/in_browser.js' {
  export function answer(name: string, query: object, body: unknown, signal: AbortSignal): Promise<any>;
}
