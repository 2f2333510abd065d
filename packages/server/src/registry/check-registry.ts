import type { DocumentProblem } from './document-fields.ts';
import { type ParseOptions, parseRegistryDocument } from './registry.ts';

/** All problems of a registry document, in the order of the document. Empty if it can be loaded. */
export function listRegistryProblems(
  json: unknown,
  { known }: Pick<ParseOptions, 'known'> = {},
): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  // A problem of a field makes checks of the same field or of the object around it meaningless.
  const isConsequence = ({ at }: DocumentProblem): boolean =>
    problems.some(
      (other) => other.at === at || other.at.startsWith(`${at}.`) || other.at.startsWith(`${at}[`),
    );
  parseRegistryDocument(json, '', {
    ...(known && { known }),
    onProblem: (problem) => {
      if (!isConsequence(problem)) problems.push(problem);
    },
  });
  return problems;
}
