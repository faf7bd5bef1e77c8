ALTER TABLE `webhook_deliveries` ADD `delay_ms` integer;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `earlier_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `ordered` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_ordered` ON `webhook_deliveries` (`subscription_id`,`due_at`,`position`) WHERE state = 'pending' AND ordered = 1;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `paused_for_ms` integer;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `answer_ms` integer;