import type { InvokeContext, Program } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';

const UNITS_TO_LOOK = 400;
const UNITS = 5_000;
const UNITS_PER_BYTE = 350;
const UNITS_PER_SIGNER = 12_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Writes a text to the log, for all to read. Every account that it is given must have signed it. */
export const memoProgram: Program = {
  unitsOf: (data) => UNITS + UNITS_PER_BYTE * data.length,
  run(call) {
    const signers = call.metas.filter(({ address }) => call.isSigner(address));
    for (const { address } of signers) {
      call.consume(UNITS_PER_SIGNER);
      call.log(`Signed by ${address}`);
    }
    if (signers.length < call.metas.length) throw new ProgramFailure('MissingRequiredSignature');
    const memo = textOf(call);
    call.log(`Memo (len ${call.data.length}): ${quoted(memo)}`);
  },
};

/** Its first form: it only looks whether it is text. */
export const memoV1Program: Program = {
  unitsOf: () => UNITS_TO_LOOK,
  run({ data }) {
    if (validLength(data) < data.length) throw new ProgramFailure('InvalidInstructionData');
  },
};

function textOf(call: InvokeContext): string {
  const valid = validLength(call.data);
  if (valid === call.data.length) return utf8.decode(call.data);
  call.log(`Invalid UTF-8, from byte ${valid}`);
  throw new ProgramFailure('InvalidInstructionData');
}

/** Bytes up to the first that is not of a whole character. */
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

/** As the program's language quotes a text: what cannot be seen is escaped, so that it stays one line. */
function quoted(text: string): string {
  const shown = (character: string) =>
    SHORT_ESCAPES.get(character) ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return `"${text.replaceAll(/["\\]|\p{C}/gu, shown)}"`;
}
