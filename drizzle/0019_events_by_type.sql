DROP INDEX `events_account`;--> statement-breakpoint
DROP INDEX `events_session`;--> statement-breakpoint
CREATE INDEX `events_account` ON `events` (`account_id`) WHERE type = 'session.updated';--> statement-breakpoint
CREATE INDEX `events_session` ON `events` (`session_id`) WHERE type = 'session.updated';