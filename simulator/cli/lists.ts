import type { CliContext } from '../../src/server/cli/cli-context.ts'
import { printList } from '../../src/server/cli/output/print.ts'
import { QUIRKS } from '../quirks/catalogue.ts'
import { allScenarios } from '../scenarios/engine/collection.ts'

export function listScenarios(context: CliContext, json: boolean | undefined): void {
  const rows = allScenarios().map(({ name, title, versions }) => ({ name, title, versions }))
  if (json) printList(context, rows, ['name', 'versions', 'title'], true)
  else printList(context, rows.map(withVersions), ['name', 'versions', 'title'])
}

export function listQuirks(context: CliContext, json: boolean | undefined): void {
  const rows = QUIRKS.map(({ name, title, reference, expected, versions }) => ({
    name,
    title,
    reference,
    expected,
    versions,
  }))
  if (json) printList(context, rows, ['name', 'versions', 'title', 'reference'], true)
  else printList(context, rows.map(withVersions), ['name', 'versions', 'title', 'reference'])
}

function withVersions<T extends { readonly versions: readonly string[] }>(row: T) {
  return { ...row, versions: row.versions.join(' ') }
}
