import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suggestion } from '../../../src/config/suggest.ts'
import { UnknownName } from '../../quirks/apply.ts'
import { parseScenario, type Scenario, ScenarioFault } from './parse.ts'

/** Beside this file's folder in the sources; beside the bundle where it was built. */
const FOLDERS = ['./scenarios/', '../'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
const LARGEST_FILE = 1_048_576

function scenarioNames(): readonly string[] {
  return readdirSync(folderOfScenarios())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()
}

export function allScenarios(): readonly Scenario[] {
  return scenarioNames().map(loadScenario)
}

/** By name, or by path where it ends in .yaml or .yml. Throws UnknownName or ScenarioFault. */
export function loadScenario(nameOrFile: string): Scenario {
  const isFile = /\.ya?ml$/i.test(nameOrFile)
  if (!isFile && !scenarioNames().includes(nameOrFile)) {
    const close = suggestion(nameOrFile, scenarioNames())
    throw new UnknownName(
      `there is no scenario ${nameOrFile}${close ? `: did you mean ${close}?` : '.'} --list-scenarios shows all; a file ends in .yaml`,
    )
  }
  const file = isFile ? nameOrFile : `${folderOfScenarios()}/${nameOrFile}.yaml`
  const name = isFile ? (nameOrFile.split('/').at(-1) ?? nameOrFile).replace(/\.ya?ml$/i, '') : nameOrFile
  return parseScenario(textOf(file), file, name)
}

function textOf(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new ScenarioFault(`${file} cannot be read (${code}): name a scenario file`)
  }
  if (bytes.length > LARGEST_FILE) throw new ScenarioFault(`${file} is larger than 1 MiB: that is no scenario`)
  return bytes.toString('utf8')
}

function folderOfScenarios(): string {
  const found = FOLDERS.find(
    (folder) => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.yaml')),
  )
  if (!found) throw new ScenarioFault('the scenarios of the simulator are missing: build again with `npm run build`')
  return found.replace(/\/$/, '')
}
