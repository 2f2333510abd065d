import { apiKeyForm, onApiKeyChange, readApiKey } from './api-key.js';
import { el } from './dom.js';
import { buildExample, declaredExample } from './example.js';
import { isJson } from './json-text.js';
import { mediaOf, mergeAllOf, resolve } from './openapi.js';
import { buildRequest, send } from './request.js';
import { responseNodes, responseSummaryNodes, sampleNodes } from './response.js';
import { enumOf, formatValue, unionOf } from './schema-descriptions.js';
import { snippetTabs } from './snippet-tabs.js';

const schemaOf = (api, parameter) =>
  mergeAllOf(api, resolve(api, parameter.schema ?? mediaOf(parameter.content)?.schema).value) ?? {};

const hasType = (api, schema, type) =>
  [schema.type].flat().includes(type) ||
  (unionOf(schema) ?? []).some((raw) => [resolve(api, raw).value?.type].flat().includes(type));

const choicesOf = (api, schema) => {
  const values = enumOf(api, schema);
  if (values) return values.map(formatValue);
  return schema.type === 'boolean' ? ['true', 'false'] : undefined;
};

const emptyChoice = (schema) =>
  schema.default === undefined ? 'not sent' : `not sent (default: ${formatValue(schema.default)})`;

const hintOf = (schema, required, example) => {
  if (schema.default !== undefined) return `default: ${formatValue(schema.default)}`;
  return !required && example !== undefined ? `for example ${formatValue(example)}` : undefined;
};

const inputModeOf = (schema) => {
  if (schema.type === 'integer') return 'numeric';
  return schema.type === 'number' ? 'decimal' : undefined;
};

const controlOf = (api, parameter, attributes) => {
  const schema = schemaOf(api, parameter);
  const choices = choicesOf(api, schema);
  if (choices) {
    const options = choices.map((choice) => el('option', { value: choice }, choice));
    return el('select', attributes, el('option', { value: '' }, emptyChoice(schema)), options);
  }
  const example = declaredExample(parameter) ?? declaredExample(schema);
  const start =
    parameter.required && example !== undefined ? [example].flat().map(formatValue) : [];
  const shared = {
    ...attributes,
    placeholder: hintOf(schema, parameter.required, example),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  };
  if (hasType(api, schema, 'array')) {
    return el('textarea', { ...shared, rows: 2, 'data-list': true }, start.join('\n'));
  }
  return el('input', {
    ...shared,
    type: 'text',
    inputmode: inputModeOf(schema),
    value: start[0],
  });
};

const valuesOf = (control) => {
  const lines = control.hasAttribute('data-list') ? control.value.split('\n') : [control.value];
  return lines.map((line) => line.trim()).filter((line) => line !== '');
};

const errorOf = (id) => el('p', { id, class: 'field-error', hidden: true });

const showError = (control, error, message) => {
  error.textContent = message;
  error.hidden = message === '';
  control.setAttribute('aria-invalid', String(message !== ''));
};

const labelOf = ({ name, location, required, control, hint }) =>
  el(
    'label',
    {},
    el('code', { class: 'field-name' }, name),
    el('span', { class: 'location' }, location),
    required && el('span', { class: 'required' }, 'required'),
    hint && el('span', { class: 'location' }, hint),
    control,
  );

const parameterField = (api, operation, parameter) => {
  const errorId = `${operation.id}--${parameter.in}-${parameter.name}-error`;
  const control = controlOf(api, parameter, { 'aria-describedby': errorId });
  const error = errorOf(errorId);
  const required = parameter.required === true;
  const hint = control.hasAttribute('data-list') && 'one value per line';
  return {
    node: el(
      'div',
      { class: 'field' },
      labelOf({ name: parameter.name, location: parameter.in, required, control, hint }),
      error,
    ),
    control,
    entry: () => ({ parameter, values: valuesOf(control) }),
    check: () => {
      const isMissing = required && valuesOf(control).length === 0;
      showError(
        control,
        error,
        isMissing ? `${parameter.name} is required. The request was not sent.` : '',
      );
      return !isMissing;
    },
  };
};

const bodyField = (api, operation) => {
  const media = mediaOf(operation.body?.content);
  if (!media) return undefined;
  const example = declaredExample(media) ?? buildExample(api, media.schema);
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const errorId = `${operation.id}--body-error`;
  const rows = Math.min(16, Math.max(4, text.split('\n').length));
  const control = el(
    'textarea',
    { class: 'body-input', rows, wrap: 'off', spellcheck: 'false', 'aria-describedby': errorId },
    text,
  );
  const error = errorOf(errorId);
  const required = operation.body.required === true;
  const warn = () => {
    const isInvalid = media.type.includes('json') && control.value.trim() && !isJson(control.value);
    showError(control, error, isInvalid ? 'This is not valid JSON. It is sent unchanged.' : '');
  };
  control.addEventListener('input', warn);
  return {
    node: el(
      'div',
      { class: 'field' },
      labelOf({ name: 'body', location: media.type, required, control }),
      error,
    ),
    control,
    mediaType: media.type,
    text: () => control.value.trim(),
    check: () => {
      const isMissing = required && control.value.trim() === '';
      if (isMissing) showError(control, error, 'A body is required. The request was not sent.');
      return !isMissing;
    },
  };
};

const cookieNote = (parameters) => {
  const names = parameters
    .filter(({ in: location }) => location === 'cookie')
    .map(({ name }) => name);
  if (names.length === 0) return null;
  return el('p', { class: 'note' }, `The browser sends cookies itself: ${names.join(', ')}.`);
};

const createSender = (buttons, summary, output) => {
  let running;
  buttons.cancel.addEventListener('click', () => running?.abort());
  return async (request) => {
    running?.abort();
    const own = new AbortController();
    running = own;
    buttons.cancel.hidden = false;
    summary.replaceChildren(el('span', { class: 'note' }, 'Waiting for the response.'));
    output.replaceChildren();
    const result = await send(request, own.signal);
    if (running !== own) return;
    buttons.cancel.hidden = true;
    summary.replaceChildren(...responseSummaryNodes(result));
    output.replaceChildren(...responseNodes(result));
  };
};

const wire = (form, fields, { submit, refresh }) => {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const invalid = fields.filter((field) => !field.check());
    if (invalid.length > 0) invalid[0].control.focus();
    else submit();
  });
  form.addEventListener('input', (event) => {
    if (event.target.getAttribute('aria-invalid') === 'true') {
      fields.find((field) => field.control === event.target)?.check();
    }
    refresh();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  onApiKeyChange(refresh);
  refresh();
};

/** The request form of one operation, with its curl command and response. */
export const tryIt = (api, base, operation) => {
  const sendable = operation.parameters.filter((parameter) => parameter.in !== 'cookie');
  const fields = sendable.map((parameter) => parameterField(api, operation, parameter));
  const body = bodyField(api, operation);
  const buttons = {
    send: el('button', { type: 'submit', class: 'primary' }, 'Send'),
    cancel: el('button', { type: 'button', hidden: true }, 'Cancel'),
  };
  const summary = el('p', { class: 'outcome', role: 'status' });
  const sample = mediaOf(operation.responses.find(({ status }) => status === '200')?.content);
  const output = el('div', {}, sample?.example !== undefined && sampleNodes(sample));
  const snippets = snippetTabs();
  const request = () =>
    buildRequest({
      base,
      operation,
      entries: fields.map((field) => field.entry()).filter(({ values }) => values.length > 0),
      body: body?.text(),
      mediaType: body?.mediaType,
      apiKey: readApiKey(),
    });
  const all = body ? [...fields, body] : fields;
  const form = el(
    'form',
    { novalidate: true, 'aria-label': `Try ${operation.id}` },
    all.map((field) => field.node),
    all.length === 0 && el('p', { class: 'note' }, 'Nothing to fill in.'),
    cookieNote(operation.parameters),
    el('div', { class: 'actions' }, buttons.send, buttons.cancel),
  );
  const submit = createSender(buttons, summary, output);
  wire(form, all, {
    submit: () => submit(request()),
    refresh: () => snippets.show(request()),
  });
  const heading = el('h2', {}, 'Try it');
  const panel = el('div', { class: 'try-it' }, heading, form, snippets.node, summary, output);
  return el('div', { class: 'try-it-frame' }, panel, apiKeyForm());
};
