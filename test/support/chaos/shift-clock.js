// Loaded with --import: moves the wall clock of a process by the milliseconds in the file CLOCK_SHIFT_FILE, at any time.
import { readFileSync } from 'node:fs';

const POLL_MS = 100;
const RealDate = Date;
const file = process.env['CLOCK_SHIFT_FILE'] ?? '';
let shiftMs = 0;

function readShift() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    shiftMs = 0;
  }
}

class ShiftedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
}

if (file !== '') {
  readShift();
  globalThis.Date = ShiftedDate;
  setInterval(readShift, POLL_MS).unref();
}
