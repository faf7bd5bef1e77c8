import { copyFileSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { databaseFigures, noteBackup } from '../database.ts'
import { openSqlite } from '../writer.ts'

it('SERVER-D1: the note of when a backup was made overwrote a backup of that name', async () => {
  const { path, remove } = temporaryDatabase()
  openSqlite(path).close()
  noteBackup(path, 86_400_000)
  expect((await databaseFigures(path)).lastBackupAt).toBe(86_400_000)
  const whole = readFileSync(path)
  for (const name of ['.backup', '.last-backup']) {
    copyFileSync(path, `${path}${name}`)
    noteBackup(path, 86_400_000)
    expect(readFileSync(`${path}${name}`).equals(whole)).toBe(true)
  }
  expect((await databaseFigures(path)).lastBackupAt).toBeUndefined()
  remove()
})
