import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import headless from '@xterm/headless';

/** Screens per second, as many as a run draws. */
const RATE = 4;
/** The prompt is typed before the run: ms before the first letter, of each, and after the last one. */
const TYPING = { firstMs: 400, letterMs: 45, lastMs: 350 };

/**
 * Runs a command in a terminal, and samples its screen. `prompt` is what a user would type.
 *
 * @typedef {{ text: string, color?: number | string, isBold: boolean, isDim: boolean }} Run cells with one style
 * @typedef {{ atMs: number, rows: Run[][] }} Screen
 * @type {(command: string, how: { prompt: string, cols: number, rows: number, cwd: string }) => Promise<Screen[]>}
 */
export async function recordTerminal(command, { prompt, cols, rows, cwd }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-record-'));
  const [output, timing] = [join(folder, 'output'), join(folder, 'timing')];
  const inside = `stty rows ${rows} cols ${cols}; ${command}`;
  const env = { ...process.env, TERM: 'xterm-256color', COLORTERM: 'truecolor', SHELL: '/bin/sh' };
  delete env.NO_COLOR;
  delete env.CI;
  try {
    await exitOf(spawn('script', ['-qec', inside, '--log-out', output, '--log-timing', timing], { cwd, env }));
    return await screensOf(readFileSync(output), readFileSync(timing, 'utf8'), { prompt, cols, rows });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function exitOf(child) {
  child.stdout.resume();
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}

/** The prompt, letter by letter, and the screen after each piece of the output, at most RATE times per second. */
async function screensOf(output, timing, { prompt, cols, rows }) {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
  const write = (bytes) => new Promise((resolve) => terminal.write(bytes, resolve));
  const screens = [];
  await write('\x1b[32m$\x1b[0m ');
  for (const [i, letter] of [' ', ...prompt].entries()) {
    if (i > 0) await write(letter);
    screens.push({ atMs: i === 0 ? 0 : TYPING.firstMs + i * TYPING.letterMs, rows: rowsOf(terminal) });
  }
  await write('\r\n');
  let nowMs = screens.at(-1).atMs + TYPING.lastMs;
  let at = output.indexOf('\n') + 1; // after the line "Script started on …"
  for (const line of timing.trim().split('\n')) {
    const [seconds, bytes] = line.split(' ').map(Number);
    nowMs += seconds * 1000;
    await write(output.subarray(at, at + bytes));
    at += bytes;
    if (nowMs - screens.at(-1).atMs >= 1000 / RATE) screens.push({ atMs: nowMs });
    screens.at(-1).rows = rowsOf(terminal);
  }
  return screens;
}

function rowsOf({ buffer: { active }, cols, rows }) {
  return Array.from({ length: rows }, (_, y) => runsOf(active.getLine(active.viewportY + y), cols));
}

/** @type {(line: any, cols: number) => Run[]} */
function runsOf(line, cols) {
  const runs = [];
  for (let x = 0; x < cols; x++) {
    const cell = line?.getCell(x);
    const style = cell ? styleOf(cell) : { isBold: false, isDim: false };
    const text = cell?.getChars() || ' ';
    const last = runs.at(-1);
    if (last && isSame(last, style)) last.text += text;
    else runs.push({ text, ...style });
  }
  while (runs.length && !runs.at(-1).ground && runs.at(-1).text.trim() === '') runs.pop();
  return runs;
}

function styleOf(cell) {
  const colorOf = (isRgb, isPalette, value) => {
    if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
    return isPalette ? value : undefined;
  };
  const color = colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const ground = colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  const swapped = Boolean(cell.isInverse());
  return {
    color: swapped ? ground : color,
    ground: swapped ? (color ?? 'text') : ground,
    isBold: Boolean(cell.isBold()),
    isDim: Boolean(cell.isDim()),
  };
}

function isSame(a, b) {
  return a.color === b.color && a.ground === b.ground && a.isBold === b.isBold && a.isDim === b.isDim;
}
