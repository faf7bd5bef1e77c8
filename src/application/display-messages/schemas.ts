import { z } from '@hono/zod-openapi'
import { DISPLAY_STATES, MESSAGE_FORMATS, MESSAGE_PRIORITIES } from '../../domain/display-messages/records.ts'
import { intentSchema } from '../../domain/events/intent-events.ts'
import { NAME } from '../../domain/typed-text.ts'
import { chargePointParams } from '../schemas/charge-points.ts'
import { instant, time, typedText } from '../schemas/common.ts'
import { language } from '../schemas/id-tokens.ts'

const name = typedText(NAME)
export const displayMessageParams = chargePointParams.extend({ name })

const content = typedText({ most: 512, mayHaveLines: true })
const shared = {
  content,
  language: language.optional(),
  translations: z.array(z.strictObject({ content, language })).min(1).max(20).optional().openapi({
    description: 'Of a charge whose driver has a card with a language: the text that is in it is shown instead.',
  }),
  state: z.enum(DISPLAY_STATES).optional().openapi({
    description: 'It is shown while the charge point is in this state; always unless given.',
  }),
  transactionId: typedText({ most: 36 }).optional().openapi({
    description: 'Of a running charge: the message ends with it.',
  }),
}

export const PutDisplayMessageSchema = z
  .strictObject({
    ...shared,
    format: z.enum(MESSAGE_FORMATS).default('UTF8'),
    priority: z.enum(MESSAGE_PRIORITIES).default('NormalCycle').openapi({
      description: 'AlwaysFront: nothing else is shown. InFront: before those in the normal cycle.',
    }),
    startAt: instant('Not shown before.').optional(),
    endAt: instant('Gone then.').optional(),
  })
  .openapi('PutDisplayMessage')

export const DisplayMessageSchema = z
  .strictObject({
    name,
    evseControllerId: z.string(),
    messageId: z.int().openapi({ description: 'The number under which the charge point knows it.' }),
    ...shared,
    format: z.enum(MESSAGE_FORMATS),
    priority: z.enum(MESSAGE_PRIORITIES),
    shownAs: z
      .strictObject({ content, language })
      .optional()
      .openapi({ description: 'The translation that the driver sees.' }),
    startAt: time().optional(),
    endAt: time().optional(),
    intent: intentSchema(z)
      .pick({
        state: true,
        reason: true,
        revision: true,
        appliedRevision: true,
        attempts: true,
        nextAttemptAt: true,
        commandId: true,
        updatedAt: true,
      })
      .openapi('DisplayMessageIntent', {
        description:
          'How far it is: applied once the charge point accepted it, verified once it has reported it, expired once its time or its charge is over.',
      }),
  })
  .openapi('DisplayMessage')

export const DisplayMessageListSchema = z
  .strictObject({
    data: z.array(DisplayMessageSchema),
    others: z
      .array(
        z
          .strictObject({
            messageId: z.int(),
            content: z.string(),
            language: z.string().optional(),
            format: z.string(),
            priority: z.string(),
            state: z.string().optional(),
            startAt: time().optional(),
            endAt: time().optional(),
            transactionId: z.string().optional(),
            updatedAt: time().openapi({ description: 'When the charge point last reported it.' }),
          })
          .openapi('OtherDisplayMessage'),
      )
      .openapi({ description: 'What the charge point said that it has besides.' }),
    meta: z.strictObject({}),
  })
  .openapi('DisplayMessageList')
