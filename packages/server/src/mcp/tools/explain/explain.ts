import { Type } from 'typebox';
import type { ApiReading } from '../../api/api-reading.ts';
import { startReading } from '../../api/api-reading.ts';
import { defineTool } from '../../tool.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { explainApy } from './explain-apy.ts';
import { explainError } from './explain-error.ts';
import { explainHealth } from './explain-health.ts';
import { explainLimits } from './explain-limits.ts';

const TOPICS = ['health', 'apy', 'limits', 'error'] as const;
type Topic = (typeof TOPICS)[number];

const Input = Type.Object(
  {
    topic: Type.Unsafe<Topic>({
      type: 'string',
      enum: [...TOPICS],
      description:
        'health: of a loan; apy: of a vault or reserve, by its parts; limits: what a reserve or loan still allows; error: what a code means and what to do',
    }),
    subject: Type.String({
      minLength: 1,
      maxLength: 88,
      pattern: '^[\\w:.-]{1,88}$',
      description:
        'health: address of a loan. apy: address of a vault or reserve. limits: address of a reserve or loan. error: a code such as STALE_READ, the name of a program error such as BorrowTooLarge, or its number with the program, such as klend:6013',
    }),
  },
  { additionalProperties: false },
);

export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain a figure or an error',
  description:
    'Explains why a figure is what it is, with the formula and the current inputs: the health of a loan and its distance to liquidation, the parts of a yield, the limits that apply to deposits, borrows and withdrawals. Also explains error codes of the API and of the programs.',
  input: Input,
  run: async ({ topic, subject }, { api }) => {
    const reading = startReading(api);
    const explanation = await explainers[topic](subject, reading);
    return { ...explanation, freshness: reading.freshness(), notes: reading.notes() };
  },
});

const explainers: {
  readonly [T in Topic]: (subject: string, reading: ApiReading) => Promise<Inspection> | Inspection;
} = {
  health: explainHealth,
  apy: explainApy,
  limits: explainLimits,
  error: explainError,
};
