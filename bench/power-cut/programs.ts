/** Builds what a cut needs: the writer as a bundle, and the preloaded library that keeps only what was synced. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { packageRoot } from '../places.ts'

/** Path of the writer's bundle; in dist/ because its dependencies are found from there. */
export async function buildWriter(): Promise<string> {
  const outfile = join(packageRoot(), 'dist', 'power-cut-writer.js')
  await build({
    entryPoints: [join(packageRoot(), 'bench', 'power-cut', 'writer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return outfile
}

/** A simulated power cut needs Linux and a C compiler; everything else of the bench runs without. */
export function canCutPower(): boolean {
  return process.platform === 'linux' && spawnSync('gcc', ['--version']).status === 0
}

export function buildShim(directory: string): string {
  const library = join(directory, 'shim.so')
  const source = join(packageRoot(), 'bench', 'power-cut', 'shim.c')
  execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-pthread'])
  return library
}
