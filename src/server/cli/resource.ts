/** The commands that follow from the declaration of a resource: `list`, and `set`, which creates or changes one. */
import { apiName } from '../../application/resource/kinds.ts'
import { existsCode, represent, save, type Texts, textOf } from '../../application/resource/orders.ts'
import { type Field, formName, KINDS } from '../../domain/resources/field.ts'
import { lowerFirst, nounOf, type Resource, settable, slugOf, visible } from '../../domain/resources/resource.ts'
import { type CliContext, orFail, type Register } from './cli-context.ts'
import { commandGroup, OF_ACCOUNT } from './declare.ts'
import { type AccountOption, changeAccount, withAccount } from './options.ts'
import type { Printable } from './output/print.ts'

export function resourceCommands(of: Resource): readonly Register[] {
  const { command } = of
  if (!command) return []
  const columns = ['id', ...visible(of).map((one) => apiName(...one)), ...('version' in of.fields ? ['version'] : [])]
  return [
    commandGroup(slugOf(of), command.does, [
      {
        usage: 'list',
        does: command.list,
        takes: OF_ACCOUNT,
        run: (context: CliContext, options: AccountOption) =>
          withAccount(context, options, async ({ reads, accountId }) => ({
            rows: (await of.store.list(reads, accountId)).map((row) => represent(of, row)),
            columns,
          })),
      },
      {
        usage: 'set',
        does: command.set,
        takes: [...settable(of, true).map((one) => optionOf(...one)), ...OF_ACCOUNT],
        examples: command.examples,
        run: (context: CliContext, options: Texts & AccountOption) => set(of, context, options),
      },
    ]),
  ]
}

/** The one there is gets what is given; where there is none, it is created. */
function set(of: Resource, context: CliContext, options: Texts & AccountOption): Promise<Printable> {
  return changeAccount(context, options, async (access) => {
    const { reads, accountId } = access
    const given = Object.fromEntries(settable(of, true).map(([name, field]) => [name, options[formName(name, field)]]))
    const key = given[of.calledBy]
    const same = (await of.store.list(reads, accountId)).filter(
      (row) => textOf(row, of.calledBy, of.fields[of.calledBy] as Field) === key,
    )
    const before = same.find((row) => 'isDefault' in row) ?? same[0]
    const texts = settable(of, !before).map(([name, field]) => [
      name,
      given[name] ?? (before && textOf(before, name, field)),
    ])
    const done = await save(of, access, accountId, Object.fromEntries(texts), before)
    const hints = {
      not_found: `There is no charge point ${key} in this account: see pilotwire charge-point list`,
      [existsCode(of)]: `This ${nounOf(of)} was just created elsewhere.`,
    }
    return represent(of, orFail(done, hints))
  })
}

/** @example --per-kwh <amount>, per kilowatt-hour */
function optionOf(name: string, field: Field): [flags: string, does: string] {
  const option = formName(name, field).replaceAll(/[A-Z]/g, '-$&').toLowerCase()
  const { describe = '', flag = lowerFirst(describe).replace(/\.$/, ''), kind } = field
  return [`--${option} <${KINDS[kind].option}>`, flag]
}
