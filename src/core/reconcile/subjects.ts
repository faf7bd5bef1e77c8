/** Everything that is wanted of charge points: another subject is its file and a line here. */
import { calls } from './calls.ts'
import { intents } from './intents.ts'
import { fileJobs } from './jobs.ts'
import { passwordChanges } from './password-changes.ts'
import { profileJobs } from './profile-jobs.ts'
import { renewal } from './renewal.ts'
import { reports } from './reports.ts'
import { signing } from './signing.ts'
import { stops } from './stops.ts'
import type { Subject } from './subject.ts'

/** In the order in which they are looked at. */
export const SUBJECTS: readonly Subject[] = [
  calls,
  stops,
  fileJobs,
  signing,
  profileJobs,
  passwordChanges,
  renewal,
  intents,
  reports,
]
