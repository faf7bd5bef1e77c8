/** The migrations, and a database's age by those applied: the same for every engine. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'

export type SchemaAge = 'empty' | 'older' | 'current' | 'newer'

/** The migrations of an engine, in order. @param folder such as `drizzle` */
export function migrationFiles(...folder: readonly string[]): ReturnType<typeof readMigrationFiles> {
  return readMigrationFiles({ migrationsFolder: findFolder(join(...folder)) })
}

/** @param applied the time stamp of the newest migration in the database; 0 for an empty one */
export function ageOf(applied: number, files: ReturnType<typeof migrationFiles>): SchemaAge {
  const newest = Math.max(...files.map(({ folderMillis }) => folderMillis))
  if (applied === 0) return 'empty'
  return applied === newest ? 'current' : applied > newest ? 'newer' : 'older'
}

export interface Shown {
  readonly shown: string
  readonly kind: 'file' | 'database'
  readonly Refusal: new (sentence: string) => Error
}

/** @throws Refusal where no server of this version has prepared it: a reader's queries would fail one by one */
export function requireCurrent(age: SchemaAge, database: Shown): void {
  const { shown, kind, Refusal } = database
  switch (age) {
    case 'current':
      return
    case 'newer':
      throw newerSchema(database)
    case 'older':
      throw new Refusal(
        `${shown} was written by an older version of Pilotwire: start the server once, it brings the ${kind} up to date (make a backup first, there is no way back).`,
      )
    case 'empty':
      throw new Refusal(`${shown} is not a Pilotwire database yet: start the server once, it prepares the ${kind}.`)
  }
}

/** An older version would misread it. */
export function newerSchema({ shown, Refusal }: Shown): Error {
  return new Refusal(`${shown} was written by a newer version of Pilotwire: update this one, or restore a backup.`)
}

/** A folder of the package, from the sources as from the bundle. */
function findFolder(name: string): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, name, 'meta', '_journal.json'))) {
    const parent = dirname(directory)
    if (parent === directory) {
      throw new Error(`The folder ${name} with the migrations is missing: reinstall the package.`)
    }
    directory = parent
  }
  return join(directory, name)
}
