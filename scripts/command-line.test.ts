import { expect, test } from 'vitest'
import { commandProblems, renderCommandLine, type Entries } from './command-line.ts'

const entries: Entries = {
  serve: { summary: 'Runs the server', options: { roles: { value: 'LIST', help: 'web|worker' } } },
  tags: {
    summary: 'Hashtags',
    commands: {
      list: { summary: 'Lists them', options: { json: { help: 'Print JSON' } } },
      remove: { summary: 'Removes one', args: ['NAME'] },
    },
  },
}

test('each command is there with its arguments and options', () => {
  const page = renderCommandLine('stonechat', entries)
  expect(page).toContain('## serve\n\n`stonechat serve [OPTIONS]`\n\nRuns the server.')
  expect(page).toContain('| `--roles LIST` | web\\|worker |')
  expect(page).toContain('## tags\n\nHashtags.\n\n### tags list')
  expect(page).toContain('### tags remove\n\n`stonechat tags remove NAME`\n\nRemoves one.\n')
})

test('what is not described as it should be is found', () => {
  expect(commandProblems(entries)).toEqual([])
  const bad: Entries = {
    tags: {
      summary: 'Hashtags',
      commands: { list: { summary: 'Lists them.', options: { all: { help: '' } } } },
    },
  }
  expect(commandProblems(bad)).toEqual([
    'tags list: the summary is empty, or ends with a full stop',
    'tags list --all: the help is empty, or ends with a full stop',
    'tags list prints a list, and has no --json',
  ])
})
