import { z } from '@hono/zod-openapi'
import { REPORT_FORMATS, REPORT_SCHEDULES } from '../../domain/reports/records.ts'
import { NAME } from '../../domain/typed-text.ts'
import { mailbox } from '../alerts/schemas.ts'
import { labelFault } from '../charge-points/labels.ts'
import { listOf, time, typedText } from '../schemas/common.ts'

const MAX_TARGETS = 20

const members = {
  kind: z.literal('sessions'),
  groupBy: z
    .string()
    .max(200)
    .refine(isGroupBy, 'must be idToken, site or label: and the key of a label')
    .openapi({ description: 'idToken: by card. site, label:…: by that label of the charge point.', example: 'site' }),
  schedule: z.enum(REPORT_SCHEDULES).openapi({
    description: 'Sent when the month, or the week from Monday to Sunday, is over in the time zone of the account.',
  }),
  targets: z
    .array(z.strictObject({ mail: mailbox }).openapi('ReportTarget'))
    .min(1)
    .max(MAX_TARGETS),
}

export const PutReportSchema = z
  .strictObject({
    ...members,
    format: z
      .enum(REPORT_FORMATS)
      .optional()
      .openapi({ description: 'csv unless given. pdf: a PDF file with the sums, beside the CSV file.' }),
  })
  .openapi('PutSessionReport')

export const ReportSchema = z
  .strictObject({
    name: z.string(),
    ...members,
    format: z.enum(REPORT_FORMATS),
    nextAt: time().openapi({ description: 'When the next one is made.' }),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('SessionReport')

export const ReportListSchema = listOf('SessionReportList', ReportSchema)

export const reportParams = z.object({ name: typedText(NAME) })

function isGroupBy(text: string): boolean {
  if (text === 'idToken' || text === 'site') return true
  return text.startsWith('label:') && labelFault(text.slice('label:'.length), '') === undefined
}
