import { readFileSync } from 'node:fs';
import { CodedError } from '../../errors.ts';

/** Written by the build, from `docs`. */
const FOLDER = new URL('../../../dist/guides/', import.meta.url);

type Heading = { readonly id: string; readonly title: string; readonly depth: number };

export type Guide = {
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly summary: string;
  readonly headings: readonly Heading[];
};

/** A part of a guide, for the search. */
export type GuideSection = {
  readonly guide: string;
  /** Empty for the part before the first heading. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Whether it is a table row about codes, such as a setting or an error. Its title is the codes. */
  readonly isTerm?: boolean;
  /** Of such a row: the heading before it, unless it is that of the guide. */
  readonly heading?: string;
};

export type GuideGroup = { readonly title: string; readonly guides: readonly Guide[] };

/** The order of the guides in the navigation. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Start', ['tour', 'quickstart', 'faq', 'endpoints']],
  [
    'Using the API',
    [
      'client',
      'units',
      'freshness',
      'errors',
      'program-errors',
      'limits',
      'http',
      'streams',
      'builders',
      'verifier',
      'history',
      'webhooks',
      'agents',
    ],
  ],
  ['Understanding the numbers', ['numbers', 'proof', 'rewards', 'glossary']],
  ['Moving and testing', ['hosted-api', 'sandbox', 'localnet', 'protocol']],
  [
    'Running a server',
    ['operations', 'mainnet', 'settings', 'registry', 'benchmarks', 'stability'],
  ],
];

export function readGuideGroups(): GuideGroup[] {
  const all = readJson<Guide[]>('index.json');
  const byName = new Map(all.map((guide) => [guide.name, guide]));
  return groups.map(([title, names]) => ({
    title,
    guides: names.flatMap((name) => byName.get(name) ?? []),
  }));
}

export const readGuideSections = (): GuideSection[] => readJson<GuideSection[]>('sections.json');

export const readGuideHtml = (name: string): string => read(`${name}.html`);
export const readGuideMarkdown = (name: string): string => read(`${name}.md`);

const EXAMPLE_NAME = /^[a-z-]+\.(js|base64)$/;

export function readGuideExample(name: string): string {
  if (!EXAMPLE_NAME.test(name)) throw new CodedError('ROUTE_NOT_FOUND', {});
  return read(`examples/${name}`);
}

const readJson = <Value>(name: string): Value => JSON.parse(read(name)) as Value;

function read(name: string): string {
  try {
    return readFileSync(new URL(name, FOLDER), 'utf8');
  } catch {
    throw new CodedError('ROUTE_NOT_FOUND', {});
  }
}
