import { type Address, addressToBytes } from '../../base/encoding/address.ts';
import { vaultLabel } from './share-mint.ts';

export type ShareMintIconInput = {
  readonly sharesMint: Address;
  /** Of the vault's token. */
  readonly ticker: string;
  readonly vaultName: string;
};

/** Only letters and digits of any script are drawn. */
const NOT_SHOWN = /[^\p{L}\p{N}$+]/gu;
const MAX_MARK = 7;
const FONT = "font-family=\"'Inter','Segoe UI','Helvetica Neue',Arial,sans-serif\"";

/**
 * Draws the icon of a share token: colours, shape and waves depend on the mint, the letters on the
 * ticker, the badge on the vault's initials. Deterministic; names are escaped.
 */
export function drawShareMintIcon({ sharesMint, ticker, vaultName }: ShareMintIconInput): string {
  const seed = addressToBytes(sharesMint);
  const id = sharesMint.slice(0, 8);
  const hue = (byteAt(seed, 0) * 256 + byteAt(seed, 1)) % 360;
  const secondHue = hue + 28 + (byteAt(seed, 2) % 48);
  const deep = colour(secondHue, 62, 22);
  const title = escapeMarkup(`kV-${ticker} ${vaultName}`.trim());
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128" role="img">',
    `<title>${title}</title>`,
    '<defs>',
    `<linearGradient id="g${id}" x1="0" y1="0" x2="1" y2="1">`,
    `<stop offset="0" stop-color="${colour(hue, 70, isBright(hue) ? 41 : 54)}"/>`,
    `<stop offset="1" stop-color="${colour(secondHue, 68, 32)}"/>`,
    '</linearGradient>',
    `<clipPath id="c${id}"><circle cx="64" cy="64" r="62"/></clipPath>`,
    '</defs>',
    `<g clip-path="url(#c${id})">`,
    `<rect width="128" height="128" fill="url(#g${id})"/>`,
    waves(seed, deep),
    '</g>',
    '<circle cx="64" cy="64" r="61" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="2"/>',
    shape(byteAt(seed, 3)),
    mark(ticker),
    badge(initials(ticker, vaultName), deep),
    '</svg>',
  ].join('');
}

/** Two waves over the lower part, shifted by bytes of the mint. */
function waves(seed: Uint8Array, deep: string): string {
  return [0, 1]
    .map((index) => {
      const shift = (byteAt(seed, 4 + index) % 64) - 64;
      const height = 78 + index * 16 + (byteAt(seed, 6 + index) % 8);
      const crest = 6 + (byteAt(seed, 8 + index) % 7);
      const path = `M${shift} ${height}q16 ${-crest} 32 0t32 0t32 0t32 0t32 0t32 0V128H${shift}z`;
      return `<path d="${path}" fill="${deep}" fill-opacity="${index === 0 ? '.3' : '.42'}"/>`;
    })
    .join('');
}

const SHAPES = [
  '<circle cx="64" cy="58" r="38"',
  '<rect x="29" y="23" width="70" height="70" rx="20"',
  '<path d="M64 17l35.5 20.5v41L64 99 28.5 78.5v-41z" stroke-linejoin="round"',
  '<rect x="32" y="26" width="64" height="64" rx="12" transform="rotate(45 64 58)"',
];

const shape = (choice: number): string =>
  `${SHAPES[choice % SHAPES.length]} fill="#fff" fill-opacity=".16" stroke="#fff" stroke-opacity=".55" stroke-width="2.5"/>`;

function mark(ticker: string): string {
  const letters = visibleLetters(ticker, MAX_MARK) || '?';
  const size = MARK_SIZES[[...letters].length - 1] ?? 12;
  return text({ letters, x: 64, y: 58, size, fill: '#fff' });
}

/** By the number of letters, so that they fit into every shape. */
const MARK_SIZES = [42, 34, 27, 21, 17, 14, 12];

function badge(letters: string, deep: string): string {
  const circle = `<circle cx="100" cy="102" r="18" fill="#fff" stroke="${deep}" stroke-width="3"/>`;
  return circle + text({ letters, x: 100, y: 102, size: 14, fill: deep });
}

type Text = {
  readonly letters: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
};

/**
 * Centred on a point. Computes the baseline, because not every renderer supports other baselines.
 */
function text({ letters, x, y, size, fill }: Text): string {
  const baseline = y + Math.round(size * 3.5) / 10;
  const style = `text-anchor="middle" ${FONT} font-size="${size}" font-weight="700" fill="${fill}"`;
  return `<text x="${x}" y="${baseline}" ${style}>${escapeMarkup(letters)}</text>`;
}

/** The initials of the first two words of the vault's label; `kV` without a label. */
function initials(ticker: string, vaultName: string): string {
  const letters = vaultLabel(ticker, vaultName)
    .split(' ')
    .map((word) => visibleLetters(word, 1))
    .filter((letter) => letter !== '');
  return letters.length === 0 ? 'kV' : letters.slice(0, 2).join('').toUpperCase();
}

const visibleLetters = (text: string, letters: number): string =>
  [...text.replaceAll(NOT_SHOWN, '')].slice(0, letters).join('');

/** Escapes markup and removes invalid XML characters and format characters. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll(/[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Yellow to cyan are bright; white letters need a darker background there. */
const isBright = (hue: number): boolean => hue > 35 && hue < 195;

/** Converts hue in degrees, saturation and lightness in percent to `#rrggbb`. */
function colour(hue: number, saturation: number, lightness: number): string {
  const light = lightness / 100;
  const spread = (saturation / 100) * Math.min(light, 1 - light);
  const channel = (offset: number): string => {
    const turn = (offset + hue / 30) % 12;
    const level = light - spread * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return Math.round(level * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;
