import { startReading } from '../../api/api-reading.ts';
import { PreviewedBuild } from '../../api/position-schemas.ts';
import { defineTool } from '../../tool.ts';
import { ActionInput } from './action-input.ts';
import { buildRequestOf } from './build-request.ts';
import { failureLines, previewData, previewLines } from './describe-preview.ts';

export const previewTool = defineTool({
  name: 'preview',
  title: 'Simulate an action of a wallet',
  description:
    'Says what an action of a wallet would do now, before anything is built to sign: change of tokens and SOL, fee, rent, loan-to-value before and after, or why it would fail and which amount is accepted. Nothing is signed or sent. Amounts are strings in whole tokens; vault-withdraw takes shares.',
  input: ActionInput,
  run: async (input, { api }) => {
    const reading = startReading(api);
    const request = await buildRequestOf(input, reading);
    const { preview } = await reading.post(PreviewedBuild, { ...request, query: '?preview=true' });
    return {
      lines: preview.success
        ? [`${input.action} would succeed.`, ...previewLines(preview)]
        : failureLines(preview),
      data: { action: input.action, ...previewData(preview) },
      next: preview.success
        ? ['If the user agrees, call prepare with the same input to get the transaction to sign.']
        : ['Change the amount or the wallet, and preview again.'],
      freshness: reading.freshness(),
      notes: reading.notes(),
    };
  },
});
