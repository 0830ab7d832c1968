import { purgeEmojis, type EmojiKind } from '#domain/server/instance/emojis/delete-emojis.ts'
import { exportEmojis } from '#domain/server/instance/emojis/export-emojis.ts'
import { importEmojis } from '#domain/server/instance/emojis/import-emojis.ts'
import { UsageError, type Command, type Group } from '../kit/command.ts'
import { withContext } from '../kit/with-context.ts'

const importArchive: Command = {
  summary: 'Makes emoji from the PNG, GIF and WebP files of a .tar.gz archive, named after them',
  args: ['FILE'],
  options: {
    prefix: { value: 'TEXT', help: 'Put before each name' },
    suffix: { value: 'TEXT', help: 'Put behind each name' },
    overwrite: { help: 'Replace emoji that are there; without this they are skipped' },
    unlisted: { help: 'Do not offer them to people, who may still write them' },
    category: { value: 'NAME', help: 'Under which they are offered' },
  },
  async run({ args, env, text, flag }) {
    const { imported, skipped, failed, problems } = await withContext(env, ({ ctx }) =>
      importEmojis(ctx, 'operator', args[0] as string, {
        prefix: text('prefix'),
        suffix: text('suffix'),
        overwrite: flag('overwrite'),
        unlisted: flag('unlisted'),
        category: text('category'),
      }),
    )
    for (const { file, reason } of problems) console.error(`${JSON.stringify(file)}: ${reason}`)
    console.log(`Imported ${imported}, skipped ${skipped}, failed to import ${failed}`)
  },
}

const exportArchive: Command = {
  summary: "Writes the pictures of this server's emoji to export.tar.gz in DIR",
  args: ['DIR'],
  options: {
    category: { value: 'NAME', help: 'Only those of this category' },
    overwrite: { help: 'Replace an archive that is there' },
  },
  async run({ args, env, text, flag }) {
    const { path, count } = await withContext(env, ({ ctx }) =>
      exportEmojis(ctx, args[0] as string, { category: text('category'), overwrite: flag('overwrite') }),
    )
    console.log(`Exported ${count} to ${path}`)
  },
}

const purge: Command = {
  summary: 'Deletes all custom emoji',
  options: {
    'remote-only': { help: 'Only those of other servers' },
    'suspended-only': { help: 'Only those of suspended servers' },
  },
  async run({ env, flag }) {
    if (flag('remote-only') && flag('suspended-only'))
      throw new UsageError('Give --remote-only or --suspended-only')
    const kind: EmojiKind = flag('suspended-only') ? 'suspended' : flag('remote-only') ? 'remote' : 'all'
    const count = await withContext(env, ({ ctx }) => purgeEmojis(ctx, 'operator', kind))
    console.log(`Removed: ${count}`)
  },
}

export const emoji: Group = {
  summary: 'Imports, exports and deletes custom emoji',
  commands: { export: exportArchive, import: importArchive, purge },
}
