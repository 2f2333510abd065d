import { CodedError } from '../../../errors.ts';
import { startReading } from '../../api/api-reading.ts';
import { PreviewedBuild } from '../../api/position-schemas.ts';
import { defineTool } from '../../tool.ts';
import { ActionInput } from './action-input.ts';
import { buildRequestOf } from './build-request.ts';
import { failureLines, previewData, previewLines } from './describe-preview.ts';

/** 1232 bytes in base64. */
const WIRE_FORM = /^[A-Za-z0-9+/]{1,1644}={0,2}$/;

export const prepareTool = defineTool({
  name: 'prepare',
  title: 'Build the transaction for the user to sign',
  description:
    'Builds the unsigned transaction of an action, in base64, with a summary of its effect and what to check. It is not signed and not sent: only the wallet of the user can do that. Refuses a transaction that would fail now. Call preview first and ask the user; call verify with the result before it is signed.',
  input: ActionInput,
  run: async (input, { api }) => {
    const reading = startReading(api);
    const request = await buildRequestOf(input, reading);
    const built = await reading.post(PreviewedBuild, { ...request, query: '?preview=true' });
    const { preview, transaction } = built;
    if (!preview.success) {
      const code = preview.error?.name ?? 'PREVIEW_FAILED';
      const reason = failureLines(preview).join(' ');
      throw new CodedError('API_REFUSES', { status: 400, code, reason });
    }
    if (!WIRE_FORM.test(transaction)) {
      const reason = 'it is not a transaction in base64';
      throw new CodedError('MALFORMED_DATA', { what: 'built transaction', reason });
    }
    return {
      lines: [
        `Unsigned transaction of ${preview.sizeBytes} bytes for ${input.wallet}.`,
        ...previewLines(preview),
        `It must land before block height ${preview.expiry.lastValidBlockHeight}, about a minute from now; after that, prepare it again.`,
      ],
      data: {
        request: { action: input.action, ...request.body },
        lastValidBlockHeight: preview.expiry.lastValidBlockHeight,
        blockhash: preview.expiry.blockhash,
        lookupTables: preview.lookupTables,
        ...previewData(preview),
      },
      exact: { transaction },
      next: [
        'Call verify with the same input and this transaction; do not continue unless it is accepted.',
        'Show the user the summary, then let the wallet of the user simulate, sign and send it. This server cannot.',
      ],
      freshness: reading.freshness(),
      notes: reading.notes(),
    };
  },
});
