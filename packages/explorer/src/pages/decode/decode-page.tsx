import type { DecodedTransaction } from '@tidegate/client';
import { useEffect, useState } from 'preact/hooks';
import { isFinal } from '../../api/failure.ts';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Field } from '../../components/field.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Message, Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import {
  DecodedFacts,
  DecodedInstructions,
  DecodedWarnings,
} from '../../components/transaction/decoded-transaction.tsx';
import { query, setQuery } from '../../routing/location.ts';
import { ExampleButton } from './example-button.tsx';
import { readTransactionInput, type TransactionInput } from './transaction-input.ts';

/** Paste a transaction and see what it does before signing it. */
export function DecodePage() {
  const requested = query.value.get('transaction') ?? query.value.get('signature') ?? '';
  const input = readTransactionInput(requested);
  const text = input.kind === 'transaction' ? input.base64 : signatureOf(input);
  const decoded = useResource(
    text === undefined
      ? undefined
      : apiRequest('POST /ktx/decode', { body: { transaction: text } }),
    { pollMs: 0 },
  );
  return (
    <div class="page">
      <PageTitle title="Decode a transaction" />
      <InputPanel requested={requested} input={input} />
      {text !== undefined && <DecodedBlocks input={input} decoded={decoded} />}
    </div>
  );
}

const signatureOf = (input: TransactionInput): string | undefined =>
  input.kind === 'signature' ? input.signature : undefined;

type InputPanelProps = { readonly requested: string; readonly input: TransactionInput };

function InputPanel({ requested, input }: InputPanelProps) {
  const [draft, setDraft] = useState(requested);
  useEffect(() => setDraft(requested), [requested]);
  const [hasSubmittedNothing, setSubmittedNothing] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    setSubmittedNothing(draft.trim() === '');
    show(draft);
  };
  return (
    <Panel title="Transaction">
      <form class="panel-form" onSubmit={submit}>
        <Field
          label="Transaction or signature"
          help="Base64 or base58, signed or not, or the JSON that a node or a builder returns. Nothing is sent to the cluster."
          problem={problemOf(input, hasSubmittedNothing)}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              class="bytes"
              rows={5}
              spellcheck={false}
              autocomplete="off"
              value={draft}
              onInput={({ currentTarget }) => setDraft(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
              }}
            />
          )}
        </Field>
        <div class="button-row">
          <button type="submit" class="button primary">
            Decode
          </button>
          <ExampleButton onTransaction={show} />
          {requested !== '' && (
            <button type="button" class="button" onClick={() => show('')}>
              Clear
            </button>
          )}
        </div>
      </form>
    </Panel>
  );
}

/** The URL holds what is shown. */
function show(text: string): void {
  const input = readTransactionInput(text);
  const isSignature = input.kind === 'signature';
  const value = input.kind === 'transaction' ? input.base64 : text.trim();
  setQuery({
    transaction: isSignature || value === '' ? undefined : value,
    signature: isSignature ? input.signature : undefined,
  });
}

function problemOf(input: TransactionInput, hasSubmittedNothing: boolean): string | undefined {
  if (input.kind === 'invalid') return `${input.reason} ${input.advice}`;
  if (input.kind === 'empty' && hasSubmittedNothing) return 'Paste a transaction first.';
  return undefined;
}

type DecodedProps = {
  readonly input: TransactionInput;
  readonly decoded: Resource<DecodedTransaction>;
};

const SKELETON_HEIGHT = 240;

function DecodedBlocks({ input, decoded }: DecodedProps) {
  const { error } = decoded;
  if (error !== undefined && isFinal(error)) {
    return <Undecodable input={input} reason={error.message} />;
  }
  return (
    <>
      <Block
        title="What it does"
        resources={[decoded]}
        skeleton={<Skeleton height={SKELETON_HEIGHT} />}
      >
        {(transaction) => (
          <div class="panel-body">
            <DecodedWarnings decoded={transaction} />
            {transaction.warnings.length === 0 && (
              <Message tone="positive">
                <p>
                  <strong>No warnings.</strong> Nothing in it is unusual for its fee payer.
                </p>
              </Message>
            )}
            <DecodedInstructions decoded={transaction} />
          </div>
        )}
      </Block>
      <Block
        title="Signatures, fee and size"
        resources={[decoded]}
        skeleton={<Skeleton height={SKELETON_HEIGHT} />}
      >
        {(transaction) => (
          <div class="panel-body">
            <DecodedFacts decoded={transaction} />
          </div>
        )}
      </Block>
    </>
  );
}

type UndecodableProps = { readonly input: TransactionInput; readonly reason: string };

/** What was looked for, why it cannot be shown, and what helps. */
const Undecodable = ({ input, reason }: UndecodableProps) => (
  <Panel title="What it does">
    <Message tone="danger" isLive>
      <p>
        <strong>
          {input.kind === 'signature'
            ? 'No transaction with this signature is known here'
            : 'This is not a transaction that can be decoded'}
        </strong>
      </p>
      <p>{reason}</p>
    </Message>
    {input.kind === 'signature' ? (
      <p>
        Nodes forget old transactions. Ask one with a long ledger for it (method{' '}
        <code>getTransaction</code>, encoding <code>base64</code>) and paste its response here.
      </p>
    ) : (
      <p>Copy the whole transaction again: from a wallet, a builder, or a node’s response.</p>
    )}
  </Panel>
);
