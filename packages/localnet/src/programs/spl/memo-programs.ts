import type { InvokeContext, Program } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';

const V1_UNITS = 400;
const UNITS = 5_000;
const UNITS_PER_BYTE = 350;
const UNITS_PER_SIGNER = 12_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Logs a text. Every given account must have signed. */
export const memoProgram: Program = {
  computeUnits: (data) => UNITS + UNITS_PER_BYTE * data.length,
  run(call) {
    const signers = call.metas.filter(({ address }) => call.isSigner(address));
    for (const { address } of signers) {
      call.consumeUnits(UNITS_PER_SIGNER);
      call.log(`Signed by ${address}`);
    }
    if (signers.length < call.metas.length) throw new ProgramFailure('MissingRequiredSignature');
    const memo = decodeMemo(call);
    call.log(`Memo (len ${call.data.length}): ${quote(memo)}`);
  },
};

/** Only checks that the memo is text. */
export const memoV1Program: Program = {
  computeUnits: () => V1_UNITS,
  run({ data }) {
    if (validLength(data) < data.length) throw new ProgramFailure('InvalidInstructionData');
  },
};

function decodeMemo(call: InvokeContext): string {
  const valid = validLength(call.data);
  if (valid === call.data.length) return utf8.decode(call.data);
  call.log(`Invalid UTF-8, from byte ${valid}`);
  throw new ProgramFailure('InvalidInstructionData');
}

/** Length of the valid UTF-8 prefix. */
function validLength(data: Uint8Array): number {
  let length = data.length;
  while (!isText(data.subarray(0, length))) length--;
  return length;
}

function isText(data: Uint8Array): boolean {
  try {
    utf8.decode(data);
    return true;
  } catch {
    return false;
  }
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** Quotes like Rust's `Debug`: control characters are escaped, so that the memo stays one line. */
function quote(text: string): string {
  const escapeCharacter = (character: string) =>
    SHORT_ESCAPES.get(character) ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return `"${text.replaceAll(/["\\]|\p{C}/gu, escapeCharacter)}"`;
}
