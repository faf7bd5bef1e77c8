/** What users set for themselves: their language and time zone, the columns of a list, views that they saved. */
import { json, record, text } from '../records/record.ts'

/** One by user and name, so that two that are kept at once do not undo each other. */
export const preferences = record('preferences', {
  key: ['userId', 'name'],
  columns: {
    userId: text(),
    name: text(),
    value: json<unknown>(),
  },
})
