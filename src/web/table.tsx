/** Parts of tables: their headings, and cells with what a charge point or a person wrote. */
import type { FC } from 'hono/jsx'

/** A title; `{ number }` stands above figures, undefined above what needs no title. */
type Heading = string | { readonly number: string } | undefined

export const Headings: FC<{ of: readonly Heading[] }> = ({ of }) => (
  <thead>
    <tr>
      {of.map((heading) => {
        if (heading === undefined) return <td />
        const [title, style] = typeof heading === 'string' ? [heading] : [heading.number, 'number']
        return (
          <th scope="col" class={style}>
            {title}
          </th>
        )
      })}
    </tr>
  </thead>
)

/** Text in any script. @param label names the cell where the table is too wide for its page */
export const TextCell: FC<{ text: string | undefined; label?: string | undefined; class?: string | undefined }> = (
  cell,
) => (
  <td class={cell.class} data-label={cell.label}>
    <bdi>{cell.text}</bdi>
  </td>
)
