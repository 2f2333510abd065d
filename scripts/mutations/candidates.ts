import ts from 'typescript';
import type { Candidate, Mutation } from './mutation.ts';
import { mutationsOf } from './operators.ts';

export const PACKAGES = ['client', 'core', 'explorer', 'localnet', 'server'] as const;

const SOURCE = /^packages\/(\w+)\/src\/.*(?<!\.test|\.d)\.tsx?$/;

/** The package of a source file of the product, `undefined` for other files. */
export function packageOf(file: string): string | undefined {
  return file.includes('/generated/') ? undefined : SOURCE.exec(file)?.[1];
}

/** The lines of a source file that operators apply to, in order. */
export function candidatesOf(file: string, text: string): Candidate[] {
  const name = packageOf(file);
  if (name === undefined) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const byLine = new Map<number, Mutation[]>();
  for (const mutation of collect(source, source)) {
    const line = source.getLineAndCharacterOfPosition(mutation.start).line + 1;
    byLine.set(line, [...(byLine.get(line) ?? []), mutation]);
  }
  return [...byLine]
    .sort(([a], [b]) => a - b)
    .map(([line, mutations]) => ({ package: name, file, line, mutations }));
}

function collect(node: ts.Node, source: ts.SourceFile): Mutation[] {
  const found: Mutation[] = [];
  node.forEachChild((child) => {
    if (isWithoutEffect(child)) return;
    found.push(...mutationsOf(child, source), ...collect(child, source));
  });
  return found;
}

/** Types, imports and log lines. */
const isWithoutEffect = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  (ts.isExpressionStatement(node) && isLogCall(node.expression));

const LOG = /(^|\.)(log|logger|console)\??\.(debug|info|warn|error|log)$/;

const isLogCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) && LOG.test(node.expression.getText());
