ALTER TABLE `events` ADD `type` text DEFAULT 'session.updated' NOT NULL;--> statement-breakpoint
CREATE INDEX `events_rare_type` ON `events` (`account_id`,`type`) WHERE type <> 'session.updated';--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `type` text DEFAULT 'session.updated' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `order_key` text;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `coalesce_key` text;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `events` text DEFAULT '["session.updated"]' NOT NULL;