CREATE TABLE `alert_mailings` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`mail` text NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `rule_id`, `mail`)
);
--> statement-breakpoint
CREATE INDEX `alert_mailings_sent_at` ON `alert_mailings` (`sent_at`);