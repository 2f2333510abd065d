import { cleanText, withoutMarkup } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type { AnswerData } from './answer.ts';
import { adviseOnError } from './error-meanings.ts';
import type { RenderedAnswer } from './render-answer.ts';

const MAX_MESSAGE_LENGTH = 800;

/** An error as a result that a model can act on. What is not expected says nothing about its cause. */
export function renderFailure(error: unknown): RenderedAnswer {
  const { code, message, action } = describeError(error);
  const failure: AnswerData = {
    code,
    message: cleanText(withoutMarkup(message), MAX_MESSAGE_LENGTH),
    action,
  };
  return {
    text: `Error ${code}: ${failure['message']}\nWhat to do: ${action}`,
    structured: { error: failure },
  };
}

type ErrorDescription = {
  readonly code: string;
  readonly message: string;
  readonly action: string;
};

function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof CodedError)) {
    const action = adviseOnError('INTERNAL', undefined);
    return { code: 'INTERNAL', message: 'The tool failed.', action };
  }
  const { code, message, context } = error;
  if (code === 'SOURCE_UNAVAILABLE') {
    const action =
      'Tell the user to start Tidegate with "tidegate serve", or to set its address with --url.';
    return { code: 'API_UNREACHABLE', message, action };
  }
  if (code === 'API_REFUSES' && 'status' in context && 'code' in context) {
    const known = String(context.code);
    return { code: known, message, action: adviseOnError(known, Number(context.status)) };
  }
  return { code, message, action: adviseOnError(code, undefined) };
}
