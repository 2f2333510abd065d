import { CodedError } from '../../../errors.ts';
import type { Answer } from '../../answer/answer.ts';

/** An answer without what all reads together say about its freshness. */
export type Inspection = Pick<Answer, 'lines' | 'data' | 'next'>;

export const notFound = (what: string, address: string): CodedError =>
  new CodedError('NOT_FOUND', { what, address });
