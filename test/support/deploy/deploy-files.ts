import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

/** A parsed YAML or JSON value whose parts are looked up by name. */
export type Fields = { readonly [name: string]: Fields };

const folder = fileURLToPath(new URL('../../../deploy/', import.meta.url));

export const readDeployFile = (path: string): string => readFileSync(`${folder}${path}`, 'utf8');

/** Resolves anchors and merge keys. Fails on a repeated key. */
export const readYaml = (path: string): Fields => parse(readDeployFile(path), { merge: true });

/** All documents of a file, of which each must be valid. */
export function readManifests(path: string): readonly Fields[] {
  return parseAllDocuments(readDeployFile(path)).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

export const listOf = (value: Fields | undefined): readonly Fields[] =>
  Array.isArray(value) ? value : [];

export const textOf = (value: Fields | undefined): string => String(value ?? '');
