DROP INDEX `commands_search`;--> statement-breakpoint
CREATE TABLE `commands_search` (
	`charge_point` integer NOT NULL,
	`id` integer NOT NULL,
	`method` integer NOT NULL,
	`connector_id` integer,
	`transaction_id` blob,
	`status` integer NOT NULL,
	PRIMARY KEY(`charge_point`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `commands_search` SELECT `charge_point`, `id`, `method`, `connector_id`, CASE WHEN length(`transaction_id`) <= 15 AND CAST(CAST(`transaction_id` AS INTEGER) AS TEXT) = `transaction_id` THEN CAST(`transaction_id` AS INTEGER) ELSE `transaction_id` END, `status` FROM `commands` ORDER BY `charge_point`, `id`;--> statement-breakpoint
CREATE TABLE `journal` (
	`id` integer PRIMARY KEY NOT NULL,
	`first_command` integer,
	`documents` text NOT NULL
);
