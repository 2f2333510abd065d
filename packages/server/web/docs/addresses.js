/** Addresses of this cluster by the address in the example; empty while they are not known. */
export const loadAddresses = async (url) => {
  try {
    const response = await fetch(url);
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
};

/** Replaces the addresses in parameters and bodies of examples. Samples stay as they were recorded. */
export const withAddresses = (operation, addresses) => {
  const replace = (value) => {
    if (value === undefined) return undefined;
    const text = JSON.stringify(value).replaceAll(
      /[1-9A-HJ-NP-Za-km-z]{32,44}/g,
      (address) => addresses[address] ?? address,
    );
    return JSON.parse(text);
  };
  return { ...operation, parameters: replace(operation.parameters), body: replace(operation.body) };
};

const BUILDER = 'buildLendDepositTx';

const TAKES_TRANSACTION = ['decodeTransaction', 'suggestPriorityFee'];

const withBody = (operation, built) => {
  const content = Object.entries(operation.body.content).map(([type, media]) => [
    type,
    { ...media, example: { ...media.example, ...built } },
  ]);
  return { ...operation, body: { ...operation.body, content: Object.fromEntries(content) } };
};

/** A recorded transaction uses lookup tables of its own cluster, so one of this cluster is built instead. */
export const withBuiltTransaction = async (operation, builder, base) => {
  if (!TAKES_TRANSACTION.includes(operation.id) || builder?.id !== BUILDER) return operation;
  const [[type, { example }]] = Object.entries(builder.body.content);
  try {
    const url = new URL(builder.path.slice(1), base);
    const headers = { 'content-type': type };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(example) });
    return response.ok ? withBody(operation, await response.json()) : operation;
  } catch {
    return operation;
  }
};

export const isDepositBuilder = ({ id }) => id === BUILDER;
