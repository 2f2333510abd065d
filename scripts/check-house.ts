import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Checks rules of naming and layout that no other tool knows: words that this project does not use in names, the
 * size of folders, public entries, and names that mean two things.
 */

/** Words that are not used in identifiers and file names; docs/glossary.md has the words that are. */
const FORBIDDEN_WORDS = new Set(
  'asked forecast kept moment played player refusal refusals scene told wanted'.split(' '),
);

/** Names that cannot change any more. */
const ALLOWED_NAMES = new Set([
  // public error codes
  'HISTORY_NOT_KEPT',
  'RPC_REFUSAL',
  // a field of the stored snapshot
  'played',
]);

const MAX_FILES_PER_FOLDER = 40;
const UNLIMITED_FOLDERS = /(^|\/)(errors|instructions|generated|fixtures|flows|decisions)(\/|$)/;
/** Programs define the names here, and an instruction shares its name with the operation that it performs. */
const PROGRAM_NAMES = 'packages/core/src/protocol/';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('test/fixtures/'));

const problems = [
  ...fileNameProblems(),
  ...identifierProblems(),
  ...folderProblems(),
  ...entryProblems(),
  ...duplicateExportProblems(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function wordsOf(name: string): string[] {
  return name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
}

function forbiddenWordIn(name: string): string | undefined {
  return wordsOf(name).find((word) => FORBIDDEN_WORDS.has(word));
}

function fileNameProblems(): string[] {
  return sources.flatMap((file) => {
    const word = forbiddenWordIn(basename(file));
    return word === undefined ? [] : [`${file}: rename the file; "${word}" is not used in names`];
  });
}

function identifierProblems(): string[] {
  return sources.flatMap((file) => {
    const found = new Map<string, string>();
    for (const { name, line } of declaredNames(file)) {
      const word = ALLOWED_NAMES.has(name) ? undefined : forbiddenWordIn(name);
      if (word !== undefined && !found.has(name)) found.set(name, `${file}:${line}: ${name}`);
    }
    return [...found.values()].map((at) => `${at} has a word that is not used in names`);
  });
}

/** Names that a file declares; uses of names that others declare do not count. */
function declaredNames(file: string): { name: string; line: number }[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const names: { name: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclared(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      names.push({ name: node.text, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isClassDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent)) &&
    parent.name === node
  );
}

function folderProblems(): string[] {
  const sizes = new Map<string, number>();
  for (const file of files) {
    if (!/^(packages|test|bench|docs|scripts)\//.test(file)) continue;
    sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  }
  return [...sizes].flatMap(([folder, size]) =>
    size > MAX_FILES_PER_FOLDER && !UNLIMITED_FOLDERS.test(folder)
      ? [`${folder}: ${size} files, at most ${MAX_FILES_PER_FOLDER}; make folders by subject`]
      : [],
  );
}

type Manifest = { readonly exports?: Record<string, unknown> };

/** `exports` lists every `index.ts` of a library package, and nothing that does not exist. */
function entryProblems(): string[] {
  return ['client', 'core', 'localnet'].flatMap((name) => {
    const folder = join('packages', name);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const listed = new Set(
      Object.keys(manifest.exports ?? {}).filter((key) => !key.endsWith('.json')),
    );
    const present = new Set(
      files
        .filter((file) => file.startsWith(`${folder}/src/`) && basename(file) === 'index.ts')
        .map((file) => dirname(file).slice(`${folder}/src`.length))
        .map((path) => (path === '' ? '.' : `.${path}`)),
    );
    return [
      ...[...listed]
        .filter((key) => !present.has(key))
        .map((key) => `${folder}: no index.ts for ${key}`),
      ...[...present]
        .filter((key) => !listed.has(key))
        .map((key) => `${folder}: exports lacks ${key}`),
    ];
  });
}

/** Within a package, an exported name is declared once. */
function duplicateExportProblems(): string[] {
  const declared = new Map<string, string[]>();
  for (const file of sources) {
    const [, name] = /^packages\/(\w+)\/src\//.exec(file) ?? [];
    if (name === undefined || file.startsWith(PROGRAM_NAMES) || file.endsWith('.test.ts')) continue;
    // the names of the OpenAPI document
    if (file.includes('/generated/')) continue;
    const exported = /^export (?:async )?(?:const|function\*?|type|class) (\w+)/gm;
    for (const [, symbol] of readFileSync(file, 'utf8').matchAll(exported)) {
      const key = `${name} ${symbol}`;
      declared.set(key, [...(declared.get(key) ?? []), file]);
    }
  }
  return [...declared].flatMap(([key, places]) => {
    const distinct = [...new Set(places)];
    return distinct.length > 1 ? [`${key} is exported by ${distinct.join(' and ')}`] : [];
  });
}
