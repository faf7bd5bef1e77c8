/**
 * Worker threads run from `dist`, so the tests that start the server need a fresh bundle. The PostgreSQL that the first
 * test in need of one starts is stopped here.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { runFolder, stopSharedServer } from './postgres/server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's PostgreSQL is. */
    postgresFolder: string
  }
}

export default function setup(project: TestProject): () => void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  const folder = runFolder()
  project.provide('postgresFolder', folder)
  return () => {
    stopSharedServer(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}
