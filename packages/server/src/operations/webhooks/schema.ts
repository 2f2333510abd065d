import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import {
  AddressString,
  ClusterNameString,
  IsoInstant,
  NullableNumber,
  NullableString,
  U64String,
} from '../../http/schemas/primitives.ts';
import { TriggerSchema } from '../../webhooks/trigger-schema.ts';

const MAX_DESCRIPTION_LENGTH = 200;
const MAX_DELIVERIES = 100;
export const DEFAULT_DELIVERIES = 20;

const HookId = Type.String({ pattern: '^hook_[0-9a-f]{24}$', description: 'Id of the webhook' });
const DeliveryId = Type.String({
  pattern: '^msg_[0-9a-f]{32}$',
  description: 'Id of the delivery, which is the header webhook-id of all its attempts',
});
const url = Type.String({
  description: 'Where deliveries are sent with POST: an https URL of a public address',
});
const description = Type.String({
  maxLength: MAX_DESCRIPTION_LENGTH,
  description: 'A note of yours',
});
const trigger = describe(TriggerSchema, 'What it waits for');
const NullableInstant = (text: string) => describe(NullableString, text);

export const HookParams = Type.Object({ id: HookId });
export const EnvQuery = Type.Object({ env: Type.Optional(ClusterNameString) });

export const NewHook = Type.Object(
  { url, description: Type.Optional(description), trigger },
  { title: 'NewHook' },
);

const hook = {
  id: HookId,
  url,
  description,
  trigger,
  state: Type.Unsafe<'active' | 'disabled'>({
    type: 'string',
    enum: ['active', 'disabled'],
    description:
      'disabled: nothing is sent. It is disabled by 410 Gone, and if no attempt has succeeded for 5 days',
  }),
  disabledReason: describe(NullableString, 'Why it is disabled; null if it is active'),
  failingSince: NullableInstant('Since when no attempt has succeeded, UTC; null after a success'),
  sinceSlot: describe(U64String, 'Events of later slots are delivered'),
  createdAt: describe(IsoInstant, 'UTC'),
  sides: Type.Array(
    Type.Object({
      subject: describe(AddressString, 'Address of the loan, vault or reserve'),
      side: Type.Unsafe<'above' | 'below'>({
        type: 'string',
        enum: ['above', 'below'],
        description: 'Side of the threshold',
      }),
      slot: describe(U64String, 'Slot since which it is there'),
    }),
    { description: 'Where each subject was last, for a trigger with a threshold' },
  ),
};

export const HookJson = Type.Object(hook, { title: 'Hook' });

const secret = Type.String({
  description: 'Key of the signatures, base64 after whsec_. It is shown only now',
});

export const CreatedHook = Type.Object({ ...hook, secret }, { title: 'CreatedHook' });

export const HookList = Type.Object(
  { hooks: Type.Array(HookJson, { description: 'Webhooks of this API key, oldest first' }) },
  { title: 'HookList' },
);

export const RemovedHook = Type.Object({ id: HookId }, { title: 'RemovedHook' });

export const RotatedSecret = Type.Object(
  {
    id: HookId,
    secret,
    previousSecretUntil: describe(
      IsoInstant,
      'Until then deliveries have a second signature with the secret before, UTC',
    ),
  },
  { title: 'RotatedHookSecret' },
);

export const StoredTest = Type.Object({ delivery: DeliveryId }, { title: 'HookTest' });

const DeliveryState = Type.Unsafe<'pending' | 'delivered' | 'failed' | 'cancelled'>({
  type: 'string',
  enum: ['pending', 'delivered', 'failed', 'cancelled'],
  description:
    'pending: an attempt follows; failed: all attempts failed; cancelled: it was rolled back before the first attempt',
});

const Attempt = Type.Object(
  {
    attempt: Type.Integer({ description: 'From 1' }),
    at: describe(IsoInstant, 'UTC'),
    durationMs: Type.Integer({ description: 'Milliseconds' }),
    status: describe(NullableNumber, 'HTTP status; null without a response'),
    error: describe(NullableString, 'Why it failed; null after a success'),
    response: describe(NullableString, 'Start of the body of the response'),
  },
  { title: 'HookAttempt' },
);

const Delivery = Type.Object(
  {
    id: DeliveryId,
    type: Type.String({ description: 'Type of the payload' }),
    slot: describe(U64String, 'Slot that the payload is of'),
    createdAt: describe(IsoInstant, 'When it was stored, UTC'),
    state: DeliveryState,
    nextAttemptAt: NullableInstant('UTC; null if none follows'),
    finishedAt: NullableInstant('UTC; null while attempts follow'),
    body: describe(NullableString, 'The signed body'),
    attempts: Type.Array(Attempt, { description: 'Oldest first' }),
  },
  { title: 'HookDelivery' },
);

export const DeliveryList = Type.Object(
  {
    deliveries: Type.Array(Delivery, { description: 'Newest first' }),
    cursor: describe(NullableString, 'For the next page; null on the last one'),
  },
  { title: 'HookDeliveryList' },
);

export const DeliveriesQuery = Type.Object({
  env: Type.Optional(ClusterNameString),
  state: Type.Optional(DeliveryState),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DELIVERIES,
      default: DEFAULT_DELIVERIES,
      description: 'Deliveries to return',
    }),
  ),
  cursor: Type.Optional(describe(DeliveryId, 'cursor of the previous page')),
});

export const ReplayBody = Type.Object(
  {
    delivery: Type.Optional(DeliveryId),
    since: Type.Optional(
      describe(IsoInstant, 'Instead of a delivery: those that were stored from this time on'),
    ),
    until: Type.Optional(describe(IsoInstant, 'Up to this time; by default now')),
  },
  { title: 'HookReplay' },
);

export const Replayed = Type.Object(
  { deliveries: Type.Integer({ description: 'Deliveries that are sent again, with their ids' }) },
  { title: 'ReplayedDeliveries' },
);
