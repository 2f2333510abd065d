import { escapeControls } from '../terminal/escape-controls.ts';

type Level = { readonly name: string; readonly color: number };

const levels: Readonly<Record<number, Level>> = {
  20: { name: 'DEBUG', color: 90 },
  30: { name: 'INFO ', color: 32 },
  40: { name: 'WARN ', color: 33 },
  50: { name: 'ERROR', color: 31 },
};
const GRAY = 90;

type LogRecord = {
  readonly level: number;
  readonly time: number;
  readonly msg: string;
  readonly [field: string]: unknown;
};

/** Turns a JSON log line into text: `12:00:01.250 INFO  listening url=http://127.0.0.1:8080`. */
export function createPrettyFormatter({
  hasColors,
}: {
  readonly hasColors: boolean;
}): (line: string) => string {
  const paint = (color: number, text: string) =>
    hasColors ? `\u001b[${color}m${text}\u001b[0m` : text;
  return (line) => {
    const { level, time, msg, ...fields }: LogRecord = JSON.parse(line);
    const { name, color } = levels[level] ?? { name: String(level), color: GRAY };
    const pairs = Object.entries(fields).map(
      ([field, value]) => ` ${paint(GRAY, `${escapeControls(field)}=`)}${formatValue(value)}`,
    );
    const stacks = Object.values(fields).flatMap((value) => stackOf(value) ?? []);
    const head = `${paint(GRAY, formatTime(time))} ${paint(color, name)} ${escapeControls(msg)}${pairs.join('')}`;
    return `${[head, ...stacks.map(indent)].join('\n')}\n`;
  };
}

/** Local time of day with milliseconds. */
function formatTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const millis = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`;
}

function formatValue(value: unknown): string {
  const shown = stackOf(value) === undefined ? value : messageOf(value);
  const isPlain = typeof shown === 'string' && shown === value && /^[^\s"=]+$/.test(shown);
  if (isPlain && escapeControls(shown) === shown) return shown;
  return escapeControls(JSON.stringify(shown));
}

/** The stack of a serialized error; undefined for other values. */
function stackOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('stack' in value)) return undefined;
  return typeof value.stack === 'string' ? value.stack : undefined;
}

const messageOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'message' in error ? error.message : error;

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${escapeControls(line)}`)
    .join('\n');
