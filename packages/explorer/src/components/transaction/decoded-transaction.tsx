import type { DecodedAccount, DecodedInstruction, DecodedTransaction } from '@tidegate/client';
import { solOf } from '../../format/lamports.ts';
import { Address } from '../address.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Amount, Unknown } from '../number.tsx';
import { FactList, type FactRow, Message } from '../panel.tsx';
import { type Column, Table } from '../table.tsx';
import './decoded-transaction.css';

type DecodedProps = { readonly decoded: DecodedTransaction };

/** What to check before signing; nothing if there is nothing to check. */
export const DecodedWarnings = ({ decoded }: DecodedProps) => (
  <>
    {decoded.warnings.map(({ code, message, instruction }) => (
      <Message key={`${code} ${instruction} ${message}`} tone="warning">
        <p>
          <strong>{instruction === null ? 'Check' : `Check step ${instruction + 1}`}:</strong>{' '}
          {message}
        </p>
        <p class="small weak">{code}</p>
      </Message>
    ))}
  </>
);

/** Every instruction as a sentence, with its data and accounts to open. */
export const DecodedInstructions = ({ decoded }: DecodedProps) => (
  <ol class="instructions">
    {decoded.instructions.map((instruction, index) => (
      <li key={index}>
        <details>
          <summary>
            <span class="instruction-title">{instruction.title}</span>
            <span class="instruction-program weak">
              {[programName(instruction), instruction.name].filter(Boolean).join(' · ')}
            </span>
          </summary>
          <InstructionDetails instruction={instruction} index={index} />
        </details>
        {instruction.problem !== null && (
          <Message tone="warning">
            <p>
              <strong>Not decoded:</strong> {instruction.problem}
            </p>
          </Message>
        )}
      </li>
    ))}
  </ol>
);

const programName = ({ program }: DecodedInstruction): string | null =>
  program.label ?? program.name;

const roles: Readonly<Record<DecodedAccount['role'], string>> = {
  READONLY: 'read',
  WRITABLE: 'written',
  READONLY_SIGNER: 'read, signs',
  WRITABLE_SIGNER: 'written, signs',
};

type AccountRow = DecodedAccount & { readonly position: number };

const accountColumns: readonly Column<AccountRow>[] = [
  {
    key: 'name',
    title: 'Account',
    cell: ({ name, position }) => name ?? `remaining account ${position + 1}`,
  },
  { key: 'address', title: 'Address', cell: ({ address }) => <Address address={address} /> },
  {
    key: 'label',
    title: 'What it is',
    cell: ({ label }) => label ?? <Unknown reason="no known account" />,
  },
  { key: 'role', title: 'Use', cell: ({ role }) => roles[role] },
];

type DetailsProps = { readonly instruction: DecodedInstruction; readonly index: number };

function InstructionDetails({ instruction, index }: DetailsProps) {
  const { program, data, accounts } = instruction;
  const named = Object.entries(instruction.arguments ?? {});
  const rows: FactRow[] = [
    {
      name: 'Program',
      value: <Address address={program.address} name={programName(instruction) ?? undefined} />,
    },
    ...named.map(([name, value]) => ({ name, value: argumentText(value) })),
    {
      name: 'Data',
      value:
        data === '' ? (
          <Unknown reason="the instruction has no data" />
        ) : (
          <span class="address-frame">
            <code class="bytes-line">{data}</code>
            <CopyButton text={data} what="data" />
          </span>
        ),
    },
  ];
  return (
    <div class="instruction-details">
      <FactList rows={rows} />
      {accounts.length > 0 && (
        <Table
          id={`accounts-${index}`}
          label={`Accounts of step ${index + 1}`}
          columns={accountColumns}
          rows={accounts.map((account, position) => ({ ...account, position }))}
          keyOf={({ position }) => String(position)}
        />
      )}
    </div>
  );
}

const argumentText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Who signs, what it costs and how large it is. */
export function DecodedFacts({ decoded }: DecodedProps) {
  const { fee, signers, lookupTables } = decoded;
  const rows: FactRow[] = [
    {
      name: 'Fee payer',
      value: <Address address={decoded.feePayer} page="wallet" what="address of the fee payer" />,
    },
    {
      name: 'Signatures',
      hint: 'Whether a signature is present; it is not verified',
      value: signers.map(({ address, signed, label }) => (
        <div key={address}>
          <Address address={address} name={label ?? undefined} canCopy={false} />{' '}
          {signed ? 'has signed' : 'has not signed'}
        </div>
      )),
    },
    { name: 'Signature fee', value: <Amount value={solOf(fee.baseLamports)} unit="SOL" /> },
    {
      name: 'Priority fee',
      hint: 'At most',
      value: <Amount value={solOf(fee.priorityLamports)} unit="SOL" />,
    },
    { name: 'Size', value: `${decoded.size} of ${decoded.sizeLimit} bytes` },
    { name: 'Version', value: String(decoded.version) },
    {
      name: 'Recent blockhash',
      hint: 'The transaction can land until about a minute after this block',
      value: <Address address={decoded.recentBlockhash} what="blockhash" />,
    },
    {
      name: 'Lookup tables',
      value:
        lookupTables.length === 0
          ? 'none'
          : lookupTables.map(({ address }) => <Address key={address} address={address} />),
    },
  ];
  return <FactList rows={rows} />;
}
